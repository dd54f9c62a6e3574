/**
 * What goes wrong inside: a caller learns only what is of use, and the log only what is no secret. Of a database that goes away callers
 * are told to come back, and nothing has to be started again.
 */
import { describe, expect, onTestFinished, vi } from 'vitest';
import { createId } from '../../src/ids.js';
import { LogReader } from '../../src/modules/tokens/log/log-reader.js';
import { collectEvents } from '../modules/viewing/collect-events.js';
import { shown } from '../modules/viewing/response-facts.js';
import { alterDatabase, cutOff } from '../support/database/cut-off.js';
import { holding, waitsForLock } from '../support/database/waiting-statements.js';
import { serviceTest } from '../support/fixtures/service.js';
import type { TestService } from '../support/service.js';
import { addThread } from '../support/threads.js';
import { idleWorker } from './limits/statement-log.js';

// Its worker reads no table, so that only callers notice what these tests break, wait for the same locks, or are cut off.
const it = serviceTest({ settings: idleWorker }).extend('threadId', { scope: 'file', auto: true }, ({ service, ada }) =>
  addThread(service, ada, { name: 'Rome' }),
);
it.beforeEach(({ service }) => {
  service.log.length = 0;
});

/** Runs `work` while one statement has been made on the database, and takes it back. */
async function whileBroken<Result>(
  service: TestService,
  statements: { breaking: string; mending: string },
  work: () => Promise<Result>,
) {
  await service.sql(statements.breaking);
  try {
    return await work();
  } finally {
    await service.sql(statements.mending);
  }
}

const noName = {
  breaking: 'ALTER TABLE thread RENAME COLUMN name TO gone',
  mending: 'ALTER TABLE thread RENAME COLUMN gone TO name',
};
const noMessages = { breaking: 'ALTER TABLE message RENAME TO gone', mending: 'ALTER TABLE gone RENAME TO message' };

const message = 'Unexpected error. Try again. If the error persists, report the request id to the operator.';
const secretText = 'The-treasure-lies-under-the-old-oak';
/** What only the inside knows: SQL, tables and columns, files, libraries. */
const inside = /select|insert|update|"gone"|relation|prisma|\.ts\b|\.js\b|\/src\/|node_modules| {4}at |4270?3|42P01/i;

function linesAbout(service: TestService, what: string): string[] {
  return service.log.filter((line) => line.includes(what));
}

function failuresIn(service: TestService) {
  return service.log.map((line) => JSON.parse(line)).filter(({ level }) => level >= 50);
}

describe('a defect', () => {
  it('is one message and one code, next to the rest of the answer', async ({ service, ada, graphql, threadId }) => {
    const query = 'query ($id: ID!) { me { sub } thread(id: $id) { name } }';
    const { status, body } = await whileBroken(service, noName, () =>
      graphql.run({ query, variables: { id: threadId } }),
    );
    expect(status).toBe(200);
    expect(body).toEqual({
      data: { me: { sub: ada.id }, thread: null },
      errors: [
        { message, path: ['thread'], locations: expect.any(Array), extensions: { code: 'INTERNAL_SERVER_ERROR' } },
      ],
    });
    expect(JSON.stringify(body.errors)).not.toMatch(inside);
  });

  it('is treated the same in a mutation or a subscription', async ({ service, graphql }) => {
    const operations = [
      `mutation { createThread(input: {text: "${secretText}"}) { __typename } }`,
      `subscription { responseEvents(messageId: "${createId('msg')}") { __typename } }`,
    ];
    const broken = {
      breaking: `${noMessages.breaking}; ALTER TABLE response RENAME TO gone_too`,
      mending: `${noMessages.mending}; ALTER TABLE gone_too RENAME TO response`,
    };
    const failures = await whileBroken(service, broken, () =>
      Promise.all(operations.map((query) => graphql.failure(query))),
    );
    for (const failure of failures) {
      expect(failure).toMatchObject({ message, extensions: { code: 'INTERNAL_SERVER_ERROR' } });
      expect(JSON.stringify(failure)).not.toMatch(inside);
    }
  });

  it('is a problem with the request id for a caller of REST, and one line of the log', async ({
    service,
    ada,
    threadId,
  }) => {
    const { status, body, headers } = await whileBroken(service, noMessages, () =>
      ada.rest.get(`/threads/${threadId}/messages`),
    );
    const requestId = headers.get('x-request-id');
    expect([status, body.code, body.request_id]).toEqual([500, 'internal_error', requestId]);
    expect(JSON.stringify(body)).not.toMatch(inside);
    const err = expect.objectContaining({ stack: expect.stringContaining(' at ') });
    expect(failuresIn(service)).toEqual([expect.objectContaining({ requestId, msg: 'an operation failed', err })]);
  });

  it('during authentication is a 500 as a whole', async ({ service, ada }) => {
    // The token of the other tests may have been looked up within the last second.
    const graphql = service.graphql(await service.token(ada.id, ['me:read']));
    const noTokens = {
      breaking: 'ALTER TABLE access_token RENAME TO gone',
      mending: 'ALTER TABLE gone RENAME TO access_token',
    };
    const { status, body } = await whileBroken(service, noTokens, () => graphql.run('{ me { sub } }'));
    expect(status).toBe(500);
    expect(body).toEqual({ errors: [{ message, extensions: { code: 'INTERNAL_SERVER_ERROR' } }] });
  });

  it('is logged once, with its cause, and without the text of any message', async ({ service, ada, graphql }) => {
    const input = { text: secretText, name: `${secretText}-name` };
    const query = 'mutation ($input: CreateThreadInput!) { createThread(input: $input) { __typename } }';
    const { headers } = await whileBroken(service, noMessages, () => graphql.run({ query, variables: { input } }));
    const [line, ...more] = linesAbout(service, 'an operation failed');
    expect(more).toEqual([]);
    expect(JSON.parse(line ?? '')).toMatchObject({
      level: 50,
      requestId: headers.get('x-request-id'),
      err: { message: expect.stringContaining('relation "message" does not exist') },
    });
    await whileBroken(service, noMessages, () => ada.rest.post('/threads', { text: secretText, name: secretText }));
    expect(linesAbout(service, secretText)).toEqual([]);
    expect(linesAbout(service, ada.token)).toEqual([]);
  });

  it('of a stream of REST that has begun is one line too', async ({ service, ada }) => {
    const sent = await ada.rest.createThread({ text: 'Hi' });
    const broken = vi.spyOn(LogReader.prototype, 'next').mockImplementation(() => {
      throw new TypeError('The log is broken');
    });
    onTestFinished(() => broken.mockRestore());
    const events = await collectEvents(await ada.rest.stream(sent));
    expect(shown(events)).toEqual([['error', expect.stringContaining('internal error')]]);
    const requestId = expect.any(String);
    expect(failuresIn(service)).toEqual([expect.objectContaining({ requestId, msg: 'an operation failed' })]);
  });

  it('is told apart from a caller’s own mistake', async ({ service, graphql }) => {
    const mistakes = [
      { query: 'query ($id: ID!) { thread(id: $id) { id } }' },
      { query: 'query ($n: Int) { threads(first: $n) { edges { cursor } } }', variables: { n: 'ten' } },
      { query: 'query ($skip: Boolean! = true) { me @skip(if: $skip) { sub } }', variables: { skip: null } },
      { query: 'query ($id: ID = "x") { thread(id: $id) { id } }', variables: { id: null } },
    ];
    for (const mistake of mistakes) {
      const failure = await graphql.failure(mistake);
      expect(failure.extensions, failure.message).toEqual({ code: 'BAD_USER_INPUT' });
    }
    expect(linesAbout(service, 'an operation failed')).toEqual([]);
  });
});

const unavailable =
  'The service is temporarily unavailable. If you asked for a change, check whether it was made, then try again.';

describe('a database that is gone', () => {
  it('is 503 and UNAVAILABLE over both APIs until it is back, without a restart', async ({ service, ada, graphql }) => {
    const bringBack = await cutOff(service.storage.url);
    try {
      for (let n = 0; n < 3; n += 1) {
        const { status, headers, body } = await graphql.run('{ me { sub } }');
        expect(body).toEqual({ errors: [{ message: unavailable, extensions: { code: 'UNAVAILABLE' } }] });
        expect([status, headers.get('retry-after')]).toEqual([503, '1']);
        const rest = await ada.rest.get('/me');
        expect([rest.status, rest.body.code, rest.headers.get('retry-after')]).toEqual([
          503,
          'service_unavailable',
          '1',
        ]);
      }
    } finally {
      await bringBack();
    }
    expect(await graphql.data('{ me { sub } }')).toEqual({ me: { sub: ada.id } });
    expect((await ada.rest.get('/me')).status).toBe(200);
  });

  it('is not ready from the first write that it refuses as read-only until it takes writes', async ({
    service,
    ada,
  }) => {
    const post = async () => (await ada.rest.post('/threads', { text: 'Hi' })).status;
    const ready = async () => (await fetch(`${service.url}/readyz`)).status;
    await alterDatabase(service.storage.url, 'SET default_transaction_read_only = on');
    try {
      await expect.poll(async () => [await post(), await ready()]).toEqual([503, 503]);
      expect(await ready()).toBe(503);
    } finally {
      await alterDatabase(service.storage.url, 'RESET default_transaction_read_only');
    }
    await expect.poll(ready).toBe(200);
    expect(await post()).toBe(201);
    const said = service.log.filter((line) => /the database is read-only|takes writes again"/.test(line));
    expect(said).toHaveLength(2);
  });

  it('is UNAVAILABLE if it disappears while an operation runs', async ({ service, ada, graphql, threadId }) => {
    const holder = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE ${waitsForLock}`;
    const reply = await service.database.$transaction(async (transaction) => {
      await transaction.$executeRaw`LOCK TABLE thread IN ACCESS EXCLUSIVE MODE`;
      const asked = graphql.run({
        query: 'query ($id: ID!) { me { sub } thread(id: $id) { id } }',
        variables: { id: threadId },
      });
      for (;;) if ((await service.sql(holder)).length > 0) return asked;
    }, holding);
    expect(reply.status).toBe(200);
    expect(reply.body).toMatchObject({
      data: { me: { sub: ada.id }, thread: null },
      errors: [{ message: unavailable, path: ['thread'], extensions: { code: 'UNAVAILABLE' } }],
    });
  });
});
