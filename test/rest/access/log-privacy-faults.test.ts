/** Faults are where logs talk: a model that repeats the prompt, a database that quotes the row. */

import pg from 'pg';
import { describe, expect, vi } from 'vitest';
import { waitsForLock } from '../../support/database/waiting-statements.js';
import { breakConnection, errorFrame, httpError, rawFrame, text, toolCall } from '../../support/model/model-script.js';
import type { Person, TestService } from '../../support/service.js';
import { errorsLogged, it, secrets, secretThread, tellSecrets } from './log-secrets.js';

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
    await queryGraphql(service, ada, { query: mutation });
    await queryGraphql(service, ada, { query: `{ nothing(of: "${secrets.message}") ` });
    await queryGraphql(service, ada, { query: '{ me { sub } }', variables: secrets.message });
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

async function queryGraphql(service: TestService, ada: Person, operation: object): Promise<void> {
  const headers = { authorization: `Bearer ${ada.token}`, 'content-type': 'application/json' };
  const response = await fetch(`${service.url}/graphql`, { method: 'POST', headers, body: JSON.stringify(operation) });
  expect(await response.text()).toContain('"errors"');
}
