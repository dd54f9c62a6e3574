/**
 * A link that is used twice at the same moment, held against each other: a link is also what an invitation and a lost password
 * come with, so two who have it must not both be in.
 */
import { describe, expect, vi } from 'vitest';
import type { PrismaClient } from '../../../prisma/generated/client/client.js';
import { consumeSignInLink, issueSignInLink } from '../../../src/modules/identity/sign-in-link.js';
import { holding, waitingStatements } from '../../support/database/waiting-statements.js';
import { serviceTest } from '../../support/fixtures/service.js';
import { type Person, patientStatements, type TestService } from '../../support/service.js';
import { browserOf, secretOf } from '../browser.js';
import { linkSecret } from '../people.js';

const it = serviceTest({ settings: { concurrency: 0, statementLimits: patientStatements } });

const newPassword = 'another battery of horses';
const sessionsOf = (database: PrismaClient, { id }: Person) => database.session.count({ where: { userId: id } });

/**
 * Uses the link in a transaction that stays open until the second use, over HTTP, is seen to wait for it; the first use then
 * counts, or comes to nothing. Gives the user whom the first one got, and the status of the second.
 */
async function useTwice(service: TestService, database: PrismaClient, token: string, end: 'commit' | 'rollback') {
  let second: Promise<{ status: number }> | undefined;
  let first: string | null = null;
  const rolledBack = new Error('rolled back');
  const holder = database.$transaction(async (transaction) => {
    first = await consumeSignInLink(transaction as PrismaClient, token);
    second = browserOf(service).post('/auth/sign-in/link', { token, password: newPassword });
    await vi.waitFor(async () => expect(await waitingStatements(database)).toBe(1), { timeout: 30_000, interval: 20 });
    if (end === 'rollback') throw rolledBack;
  }, holding);
  await holder.catch((error: unknown) => {
    if (error !== rolledBack) throw error;
  });
  return { first, second: (await second)?.status };
}

describe('a link that is used twice at the same moment', () => {
  it('lets in nobody else if the first use is committed', async ({ service, database }) => {
    const person = await service.person();
    const token = await linkSecret(service, person);
    expect(await useTwice(service, database, token, 'commit')).toEqual({ first: person.id, second: 410 });
    expect(await sessionsOf(database, person)).toBe(0);
    const signIn = await browserOf(service).post('/auth/sign-in/email', { email: person.email, password: newPassword });
    expect(signIn.status).toBe(401);
  });

  it('lets in the second if the first use is rolled back', async ({ service, database }) => {
    const person = await service.person();
    const token = await linkSecret(service, person);
    expect(await useTwice(service, database, token, 'rollback')).toEqual({ first: person.id, second: 200 });
    expect(await sessionsOf(database, person)).toBe(1);
  });
});

it('a link that is replaced while it is used signs nobody in, and the new one works', async ({ service, database }) => {
  const person = await service.person();
  const token = await linkSecret(service, person);
  let used: Promise<{ status: number }> | undefined;
  const renewed = await database.$transaction(async (transaction) => {
    const link = { userId: person.id, publicUrl: 'https://skein.test' };
    const { url } = await issueSignInLink(transaction as PrismaClient, link);
    used = browserOf(service).post('/auth/sign-in/link', { token });
    await vi.waitFor(async () => expect(await waitingStatements(database)).toBe(1), { timeout: 30_000, interval: 20 });
    return secretOf(url);
  }, holding);
  expect((await used)?.status).toBe(410);
  expect((await browserOf(service).post('/auth/sign-in/link', { token: renewed })).status).toBe(200);
});
