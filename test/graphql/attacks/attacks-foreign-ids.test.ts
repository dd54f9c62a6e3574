/**
 * The ids of another tenant, put into every place of the schema that takes one: the answer is that for an id that nothing has,
 * to the letter. The places come from the schema, so a new argument is tried without anybody thinking of it.
 */
import { describe, expect } from 'vitest';
import { scopes } from '../../../src/contract.js';
import { createId } from '../../../src/ids.js';
import { serviceTest } from '../../support/fixtures/service.js';
import type { TestService } from '../../support/service.js';
import { StreamClient } from '../streams/stream-client.js';
import { idPlaces } from './foreign-ids.js';

const it = serviceTest()
  .extend(
    'mallory',
    { scope: 'file' },
    async ({ service }) => new StreamClient(service.url, (await service.person({ org: 'other' })).token),
  )

  /** By the kind of the thing, what belongs to somebody of another organization. */
  .extend('foreign', { scope: 'file', auto: true }, async ({ service }) => {
    const victim = await service.person({ org: 'victims' });
    const { threadId, messageId } = await victim.rest.readyThread({ text: 'Hi', is_private: false });
    const messages = await service.service.database.message.findMany({ where: { threadId } });
    const tokens = await service.service.database.accessToken.findMany({ where: { userId: victim.id } });
    return {
      thr: [threadId],
      msg: [messageId, ...messages.map(({ id }) => id)],
      tok: tokens.map(({ id }) => id),
      usr: [victim.id],
    };
  })
  .extend('before', { scope: 'file', auto: true }, ({ service, foreign }) => everything(service, foreign));

/** All that the victims have, as the database has it. */
async function everything(
  service: TestService,
  foreign: Record<'thr' | 'msg' | 'tok' | 'usr', string[]>,
): Promise<string> {
  const { database } = service.service;
  const threads = await database.thread.findMany({ where: { id: { in: foreign.thr } }, include: { messages: true } });
  const tokens = await database.accessToken.findMany({ where: { id: { in: foreign.tok } } });
  const untimed = tokens.map(({ lastUsedAt: _, ...token }) => token);
  return JSON.stringify([threads, untimed], (_key, value) => (typeof value === 'bigint' ? String(value) : value));
}

/** The whole answer, but for the id that was asked for. */
async function answerTo(caller: StreamClient, query: string, id: string): Promise<string> {
  const stream = await caller.open({ method: 'POST', body: { query } });
  // A list's own feed has no end; its first message is an answer.
  while (stream.messages.length === 0) await new Promise((resolve) => setImmediate(resolve));
  stream.close();
  return JSON.stringify(stream.messages[0]).replaceAll(id, 'ID');
}

const places = idPlaces();

describe('an id of another tenant', () => {
  it('is accepted as an argument in many places', () => {
    expect(places.length).toBeGreaterThan(15);
  });

  it.for(places)('is unknown: $name', async ({ operation }, { mallory, foreign }) => {
    for (const [prefix, ids] of Object.entries(foreign)) {
      const none = createId(prefix as 'thr');
      const answerToNone = await answerTo(mallory, operation(none), none);
      expect(answerToNone).toMatch(/"(code|data)"/);
      expect(answerToNone, operation(none)).not.toMatch(/GRAPHQL_(PARSE|VALIDATION)_FAILED|BAD_USER_INPUT/);
      for (const id of new Set(ids))
        expect(await answerTo(mallory, operation(id), id), operation(id)).toBe(answerToNone);
    }
  });

  it('is told apart from the caller’s own id, which validates the comparison', async ({
    service,
    mallory,
    foreign,
  }) => {
    const owner = new StreamClient(service.url, await service.token(foreign.usr[0] ?? '', scopes));
    for (const { operation, kind } of places.filter(({ name }) => /^(thread|node|threadChanged) › id$/.test(name))) {
      const [id = ''] = foreign.thr;
      expect(await answerTo(owner, operation(id), id), kind).not.toBe(await answerTo(mallory, operation(id), id));
    }
  });

  it('changed nothing that the other tenant has', async ({ service, foreign, before }) => {
    expect(await everything(service, foreign)).toBe(before);
  });
});
