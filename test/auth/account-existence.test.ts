/**
 * Whether an address has an account shows neither in an answer nor in the work for it: what is compared is what is done, statements
 * and hashes of passwords, because times would only be luck.
 */
import crypto from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { StatementLog, startQuietService } from '../graphql/limits/statement-log.js';
import type { TestService } from '../support/service.js';
import { browserOf } from './browser.js';
import { linkSecret, password, signedIn } from './people.js';

let service: TestService;
let statements: StatementLog;
const hashes = vi.spyOn(crypto, 'scrypt');
beforeAll(async () => {
  syncBuiltinESMExports();
  service = await startQuietService();
  statements = new StatementLog();
});
afterAll(async () => {
  hashes.mockRestore();
  syncBuiltinESMExports();
  statements.end();
  await service.stop();
});

interface Work {
  status: number;
  body: string;
  headers: string[];
  statements: string[];
  hashes: number;
}

/** What comes of a request from an address of the internet from which nobody came before, and what is done for it. */
async function workOf(path: string, init?: RequestInit): Promise<Work> {
  hashes.mockClear();
  let answer: Pick<Work, 'status' | 'body' | 'headers'> | undefined;
  const sent = await statements.during(async () => {
    const response = await browserOf(service).fetch(path, init);
    // The id of a request is its own.
    const body = (await response.text()).replace(/"request_id":"[^"]*"/, '');
    answer = { status: response.status, body, headers: [...response.headers.keys()] };
  });
  if (!answer) throw new Error('no answer came');
  return { ...answer, statements: sent, hashes: hashes.mock.calls.length };
}

function post(path: string, body: object): Promise<Work> {
  return workOf(path, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) });
}

describe('POST /auth/sign-in/email', () => {
  const guess = (email: string) => post('/auth/sign-in/email', { email, password: 'a wrong password' });

  it('is one line of the log where it fails, and nothing beside the log', async () => {
    const { email } = await service.person();
    const printed = vi.spyOn(console, 'error');
    service.log.length = 0;
    await service.sql('ALTER TABLE account RENAME TO gone');
    try {
      expect((await guess(email)).status).toBe(500);
    } finally {
      await service.sql('ALTER TABLE gone RENAME TO account');
    }
    expect(printed.mock.calls).toEqual([]);
    printed.mockRestore();
    const failures = service.log.map((line) => JSON.parse(line)).filter(({ level }) => level >= 50);
    expect(failures).toEqual([expect.objectContaining({ msg: 'an operation failed' })]);
  });

  it('answers a wrong password like an unknown address, with the same work', async () => {
    const ada = await service.person();
    await signedIn(service, ada, password);
    const unknown = await guess('nobody@acme.test');
    expect(unknown).toMatchObject({ status: 401, hashes: 1 });
    expect(unknown.statements.length).toBeGreaterThan(2);
    expect(await guess(ada.email)).toEqual(unknown);
    expect(await guess(ada.email.toUpperCase())).toEqual(unknown);
  });

  it('gives the same answer for a member without a password and for a removed one', async () => {
    const [ben, carl] = [await service.person(), await service.person()];
    await signedIn(service, carl, password);
    await service.database.user.update({ where: { id: carl.id }, data: { removedAt: new Date() } });
    const unknown = await guess('nobody-else@acme.test');
    expect(await guess(ben.email)).toEqual(unknown);
    expect(await guess(carl.email)).toEqual(unknown);
  });

  it('refuses too many guesses in the same way', async () => {
    const dora = await service.person();
    await signedIn(service, dora, password);
    const guessFrom = (email: string, address: string) =>
      workOf('/auth/sign-in/email', {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-forwarded-for': address },
        body: JSON.stringify({ email, password: 'a wrong password' }),
      });
    const last: Work[] = [];
    for (const [email, address] of [
      [dora.email, '203.0.113.50'],
      ['nobody-at-all@acme.test', '203.0.113.51'],
    ] as const) {
      await guessFrom(email, address);
      await service.database.$executeRaw`UPDATE sign_in_attempts SET count = 20 WHERE count = 1`;
      last.push(await guessFrom(email, address));
    }
    const [known, unknown] = last.map((work) => ({ ...work, body: work.body.replaceAll(/\d+ s/g, '') }));
    expect(known).toMatchObject({ status: 429, hashes: 0 });
    expect(known).toEqual(unknown);
  });
});

it('a link that never existed, was used or has expired is refused alike by page and API, and hashes nothing', async () => {
  const [ada, ben] = [await service.person(), await service.person()];
  const used = await linkSecret(service, ada);
  await browserOf(service).post('/auth/sign-in/link', { token: used, password });
  const expired = await linkSecret(service, ben);
  const data = { expiresAt: new Date(Date.now() - 1) };
  await service.database.signInLink.update({ where: { userId: ben.id }, data });
  for (const ask of [
    (token: string) => post('/auth/sign-in/link', { token, password }),
    (token: string) => workOf(`/auth/link?token=${token}`),
  ]) {
    const never = await ask('never-was');
    expect(never).toMatchObject({ status: 410, hashes: 0 });
    expect(await ask(used)).toEqual(never);
    expect(await ask(expired)).toEqual(never);
  }
});

describe('other places that could reveal an account', () => {
  it('an invitation answers the same for a member of another organization as for a colleague', async () => {
    const admin = await service.person({ role: 'admin' });
    const [colleague, stranger] = [await service.person(), await service.person({ org: 'other' })];
    const browser = await signedIn(service, admin);
    const invite = (email: string) =>
      browser.graphql(
        'mutation ($input: InviteMemberInput!) { inviteMember(input: $input) { __typename ... on Error { message } } }',
        { input: { email, role: 'MEMBER' } },
      );
    const ofColleague = await invite(colleague.email);
    expect(ofColleague).toMatchObject({ inviteMember: { __typename: 'InvalidInputError' } });
    expect(await invite(stranger.email)).toEqual(ofColleague);
  });
});
