/** The log must never hold what people say, what they call it, or what they prove themselves with. */
import { inspect } from 'node:util';
import pg from 'pg';
import { describe, expect, vi } from 'vitest';
import type { Sent } from '../../support/clients/rest-client.js';
import { waitsForLock } from '../../support/database/waiting-statements.js';
import { serviceTest } from '../../support/fixtures/service.js';
import { breakConnection, errorFrame, httpError, rawFrame, text, toolCall } from '../../support/model/model-script.js';
import type { Person, TestService } from '../../support/service.js';
import { exchange } from '../http/raw-http.js';

/** Every text that these tests send contains one of these, and nothing else of the service does. */
const secrets = {
  message: 'quagga-tells-all',
  name: 'xylophone-project',
  feedback: 'vuvuzela-comment',
  search: 'zyzzyva-search',
  answer: 'okapi-answers-it',
};

/** Watches what a service writes, and what libraries print past its log. To be made before the service starts. */
class LogWatch {
  readonly #printed: string[] = [];
  #linesSeen = 0;

  constructor() {
    for (const method of ['debug', 'log', 'info', 'warn', 'error'] as const) {
      vi.spyOn(console, method).mockImplementation((...words) => void this.#printed.push(inspect(words, { depth: 9 })));
    }
  }

  /** Fails where a line since the last time holds one of the texts, the token, or enough of the token to find it by. */
  expectSilent({ log }: TestService, { token }: Person): void {
    const lines = [...log.slice(this.#linesSeen), ...this.#printed.splice(0)];
    this.#linesSeen = log.length;
    for (const secret of [...Object.values(secrets), token, token.slice(-10), token.slice(8, 18)]) {
      const telling = lines.filter((line) => line.includes(secret));
      expect(telling.slice(0, 3).map((line) => line.slice(0, 800))).toEqual([]);
    }
  }

  end(): void {
    vi.restoreAllMocks();
  }
}

/** Tests of a service that is watched from its start; `expectSilent` fails where it has told a secret since the last time. */
const it = serviceTest()
  .extend('watch', { scope: 'file' }, () => new LogWatch())
  .extend('service', { scope: 'file' }, ({ watch, startService }, { onCleanup }) => {
    onCleanup(() => watch.end());
    return startService();
  })
  .extend(
    'expectSilent',
    { scope: 'file' },
    ({ watch, service, ada }) =>
      () =>
        watch.expectSilent(service, ada),
  );

const secretThread = { text: secrets.message, name: secrets.name };

/** Starts a thread of secrets, and waits until its response is over. */
async function tellSecrets({ rest }: Person): Promise<Sent> {
  const sent = await rest.createThread(secretThread);
  await rest.streamToEnd(sent);
  return sent;
}

/** How many lines report a fault of the service. */
function errorsLogged({ log }: TestService): number {
  return log.filter((line) => JSON.parse(line).level >= 50).length;
}

describe('the log', () => {
  it('has a line for each request, by its path, without the query', async ({ expectSilent, service, ada }) => {
    await ada.rest.get(`/threads?q=${secrets.search}&after=x`);
    // It is written when the answer has left.
    await vi.waitFor(
      () => {
        const request = service.log.map((line) => JSON.parse(line)).findLast((line) => line.msg === 'request');
        expect(request).toMatchObject({ method: 'GET', path: '/api/v1/threads', status: 400 });
      },
      { timeout: 10_000 },
    );
    expectSilent();
  });

  it('holds nothing of a conversation that goes well', async ({ expectSilent, service, ada }) => {
    service.model.enqueue([text(secrets.answer)]);
    const sent = await tellSecrets(ada);
    const [answer] = await ada.rest.answer(sent);
    const path = `/threads/${sent.threadId}/messages`;
    const rating = { positive: true, feedback_text: secrets.feedback };
    expect((await ada.rest.post(`${path}/${answer?.id}/feedback`, rating)).status).toBe(204);
    expect((await ada.rest.get(`/threads?q=${secrets.message}`)).status).toBe(200);
    await ada.rest.get(path);
    await ada.rest.answer(await ada.rest.send(sent.threadId, secrets.message));
    expect(errorsLogged(service)).toBe(0);
    expectSilent();
  });

  it('holds nothing of what was refused', async ({ expectSilent, ada }) => {
    const sent = await ada.rest.createThread(secretThread);
    const path = `/threads/${sent.threadId}/messages`;
    const message = JSON.stringify({ text: secrets.message });
    const replies = [
      await ada.rest.post('/threads', { text: [secrets.message], name: { [secrets.name]: 1 } }),
      await ada.rest.post('/threads', message.slice(0, -1)),
      await ada.rest.post('/threads', message, { headers: { 'content-type': 'text/plain' } }),
      await ada.rest.post('/threads', message.padEnd(1_100_000)),
      await ada.rest.post(`${path}/${sent.messageId}/feedback`, { positive: secrets.feedback }),
      await ada.rest.get(`${path}?after=${secrets.search}`),
      await ada.rest.post(`/threads/thr_x/messages`, message),
      await ada.rest.get(`/me?access_token=${ada.token}`, { headers: { authorization: ada.token } }),
      await ada.rest.get('/me', { headers: { authorization: `Basic ${ada.token}` } }),
      await ada.rest.get(`/threads/${ada.token}`),
    ];
    expect(replies.map((reply) => reply.status)).toEqual([400, 400, 415, 413, 400, 400, 404, 401, 401, 404]);
    await ada.rest.streamToEnd(sent);
    expectSilent();
  });

  it('holds nothing of a caller who leaves, or sends junk', async ({ expectSilent, service, ada }) => {
    const head = `POST /api/v1/threads HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${ada.token}\r\n`;
    const type = 'Content-Type: application/json\r\n';
    await exchange(service.url, `${head}${type}Transfer-Encoding: chunked\r\n\r\n${secrets.message}\r\n`);
    await exchange(service.url, `${head}${secrets.message}\r\n\r\n`);
    await exchange(service.url, `GET http://[${secrets.message}/ HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);
    expectSilent();
  });
});

// Faults are where logs talk: a model that repeats the prompt, a database that quotes the row.
describe('the log of a failure', () => {
  it('holds nothing of an error of the model, which may repeat the prompt', async ({ expectSilent, service, ada }) => {
    const echo = `You said: ${secrets.message} (${secrets.answer})`;
    const broken = { id: 'call_1', name: 'user_get_choice', arguments: `{"question":"${secrets.answer}` };
    const scripts = [
      [httpError(400, { message: echo, code: echo, type: echo })],
      [httpError(401, { body: echo, headers: { 'content-type': 'text/plain' } })],
      [httpError(503, { message: echo, headers: { 'retry-after': secrets.message } })],
      [errorFrame({ message: echo, code: echo })],
      [text(secrets.answer), errorFrame({ message: echo })],
      [rawFrame(echo)],
      [text(secrets.answer), breakConnection({ reset: true })],
      toolCall(broken),
      toolCall({ id: secrets.answer, name: secrets.answer, arguments: { [secrets.answer]: secrets.message } }),
    ];
    for (const script of scripts) {
      service.model.enqueue(script);
      await tellSecrets(ada);
    }
    const told = /the model call failed|frames of the model could not be read|could not be used/;
    expect(service.log.filter((line) => told.test(line)).length).toBeGreaterThanOrEqual(scripts.length - 1);
    expectSilent();
  });

  it('holds nothing of an error of the database, which may quote the row', async ({ expectSilent, service, ada }) => {
    const { database } = service;
    const ready = await ada.rest.readyThread(secretThread);
    const [answer] = await ada.rest.answer(ready);
    const before = errorsLogged(service);
    for (const rule of [
      `ALTER TABLE message ADD CONSTRAINT broken CHECK (contents::text NOT LIKE '%${secrets.message}%') NOT VALID`,
      `ALTER TABLE thread ADD CONSTRAINT broken CHECK (name IS DISTINCT FROM '${secrets.name}') NOT VALID`,
      `ALTER TABLE feedback ADD CONSTRAINT broken CHECK (text <> '${secrets.feedback}') NOT VALID`,
    ]) {
      await database.$executeRawUnsafe(rule);
    }
    const path = `/threads/${ready.threadId}/messages`;
    const rating = { positive: true, feedback_text: secrets.feedback };
    const replies = [
      await ada.rest.post('/threads', secretThread),
      await ada.rest.post('/threads', { text: 'Hi', name: secrets.name }),
      await ada.rest.post(path, { text: secrets.message }),
      await ada.rest.post(`${path}/${answer?.id}/feedback`, rating),
    ];
    for (const table of ['message', 'thread', 'feedback']) {
      await database.$executeRawUnsafe(`ALTER TABLE ${table} DROP CONSTRAINT broken`);
    }
    expect(replies.map(({ status, body: { code } }) => [status, code])).toEqual(
      replies.map(() => [500, 'internal_error']),
    );
    expect(JSON.stringify(replies.map((reply) => reply.body))).not.toMatch(/constraint|relation|quagga|prisma/i);
    expect(errorsLogged(service)).toBeGreaterThan(before);
    expectSilent();
  });

  it('holds nothing of a value that the database cannot read, and quotes', async ({ expectSilent, database, ada }) => {
    await database.$executeRawUnsafe(`CREATE FUNCTION broken() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN PERFORM (NEW.contents -> 0 ->> 'text')::int; RETURN NEW; END $$`);
    await database.$executeRawUnsafe(
      'CREATE TRIGGER broken BEFORE INSERT ON message FOR EACH ROW EXECUTE FUNCTION broken()',
    );
    const { status } = await ada.rest.post('/threads', secretThread);
    await database.$executeRawUnsafe('DROP TRIGGER broken ON message');
    expect(status).toBe(500);
    expectSilent();
  });

  it('holds nothing of a statement that fails, over REST and GraphQL', async ({ expectSilent, service, ada }) => {
    const { database } = service;
    const before = errorsLogged(service);
    await database.$executeRawUnsafe('ALTER TABLE message RENAME TO message_away');
    const created = await ada.rest.post('/threads', secretThread);
    const searched = await ada.rest.get(`/threads?q=${secrets.search}`);
    const mutation = `mutation { createThread(input: { text: "${secrets.message}" }) { __typename } }`;
    const query = '{ me { sub } }';
    for (const operation of [
      { query: mutation },
      { query: `{ nothing(of: "${secrets.message}") ` },
      { query, variables: secrets.message },
    ]) {
      expect(await (await ada.graphql.post(JSON.stringify(operation))).text()).toContain('"errors"');
    }
    await database.$executeRawUnsafe('ALTER TABLE message_away RENAME TO message');
    expect([created.status, searched.status]).toEqual([500, 500]);
    expect(errorsLogged(service)).toBeGreaterThan(before);
    expectSilent();
  });

  it('holds nothing of a statement whose connection is ended', async ({ expectSilent, service, ada }) => {
    const blocker = new pg.Client({ connectionString: service.storage.url });
    await blocker.connect();
    await blocker.query('BEGIN; LOCK TABLE message IN ACCESS EXCLUSIVE MODE');
    const reply = ada.rest.post('/threads', secretThread);
    const end = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE ${waitsForLock}`;
    await vi.waitFor(async () => expect(await service.sql(end)).toHaveLength(1), { timeout: 10_000 });
    const { status, headers } = await reply;
    await blocker.end();
    expect([status, headers.get('retry-after')]).toEqual([503, '1']);
    expectSilent();
  });
});
