import { describe, expect } from 'vitest';
import type { RestReply, Sent } from '../../support/clients/rest-client.js';
import type {
  CreatedBody,
  MessageBody,
  PageBody,
  PollBody,
  ProblemBody,
  ThreadBody,
} from '../../support/clients/rest-types.js';
import { joinTokens } from '../../support/clients/sse.js';
import { it as test } from '../../support/fixtures/service.js';
import { gate, text, wait } from '../../support/model/model-script.js';
import type { Person } from '../../support/service.js';
import { RawClient } from '../http/raw-http.js';
import { activeThread, failedThread, interruptedThread } from '../threads/thread-stages.js';

/** With a thread to which no test that uses it adds anything, and a person whose threads no worker takes. */
const it = test
  .extend('unchanged', { scope: 'file' }, ({ ada }) => ada.rest.readyThread({ text: 'First' }))
  .extend('ida', { scope: 'file' }, ({ idle }) => idle.person());

async function lastUserMessage(ada: Person, threadId: string): Promise<MessageBody | undefined> {
  const { body } = await ada.rest.get<PageBody<MessageBody>>(`/threads/${threadId}/messages`);
  return body.data.findLast((message) => message.role === 'user');
}

async function threadOf(ada: Person, threadId: string): Promise<ThreadBody> {
  return (await ada.rest.get<ThreadBody>(`/threads/${threadId}`)).body;
}

describe('POST /threads/{thread-id}/messages › 201', () => {
  it('gives the id of the new message and nothing else, and keeps its text as it was sent', async ({ ada }) => {
    const { threadId } = await ada.rest.readyThread({ text: 'First' });
    const text = '  a\t\r\n\r\n👩‍👩‍👧 e\u0301 שלום \u202e\u001b[31m\ufeff  ';
    const reply = await ada.rest.post<{ message_id: string }>(`/threads/${threadId}/messages`, { text });
    expect(reply.status).toBe(201);
    expect(reply.body).toEqual({ message_id: expect.any(String) });
    expect(reply.headers.get('location')).toBe(`/api/v1/threads/${threadId}/messages`);
    const stored = await lastUserMessage(ada, threadId);
    expect(stored).toMatchObject({ id: reply.body.message_id, contents: [{ type: 'text', text }] });
    await ada.rest.answer({ threadId, messageId: reply.body.message_id });
  });

  it('triggers the response, which the id leads to by stream and by poll', async ({ service, ada }) => {
    const { threadId } = await ada.rest.readyThread({ text: 'First' });
    service.model.enqueue([text('Sec'), text('ond answer')]);
    const sent = await ada.rest.send(threadId, 'Second');
    const events = await ada.rest.streamToEnd(sent);
    expect([joinTokens(events), events.at(-1)?.event]).toEqual(['Second answer', 'done']);
    const poll = await ada.rest.get<PollBody>(`/threads/${threadId}/messages/${sent.messageId}/response`);
    expect(poll.body.messages?.[0]?.contents).toEqual([{ type: 'text', text: 'Second answer' }]);
  });
});

// What else a text must not be is the same for a new thread: `create-thread.test.ts`.
describe('POST /threads/{thread-id}/messages › 400', () => {
  it.for([
    ['no text', {}, '/text'],
    ['nothing', { text: '' }, '/text'],
    ['only white space', { text: ' \n\t\u00a0' }, '/text'],
    ['one character too many', { text: 'x'.repeat(100_001) }, '/text'],
    ['an unpaired surrogate', '{"text":"\\ud83d"}', '/text'],
    ['a list as the body', [], ''],
  ] as const)(
    'refuses %s, points at it, and stores nothing',
    async ([_name, body, pointer], { service, ada, unchanged }) => {
      const { threadId } = unchanged;
      const before = await threadOf(ada, threadId);
      const reply = await ada.rest.post(`/threads/${threadId}/messages`, body);
      expect([reply.status, reply.body.code]).toEqual([400, 'invalid_request']);
      expect(reply.body.errors?.map((error) => error.pointer)).toContain(pointer);
      expect(await threadOf(ada, threadId)).toEqual(before);
      expect(await service.database.message.count({ where: { threadId } })).toBe(2);
    },
  );
});

function sendTo(person: Person, { threadId }: Sent): Promise<RestReply<ProblemBody>> {
  return person.rest.post(`/threads/${threadId}/messages`, { text: 'One more' });
}

function expectConflict({ status, headers, body }: RestReply<ProblemBody>, state: string, retryAfter: string | null) {
  expect({ status, code: body.code, state: body.thread_state, retryAfter: headers.get('retry-after') }).toEqual({
    status: 409,
    code: 'thread_not_ready',
    state,
    retryAfter,
  });
}

describe('POST /threads/{thread-id}/messages › 409', () => {
  it('refuses while the thread is waiting, and says when to try again', async ({ ida }) => {
    const sent = await ida.rest.createThread({ text: 'Hi' });
    expectConflict(await sendTo(ida, sent), 'waiting', '1');
  });

  it('refuses while the thread is active, and says when to try again', async ({ service, ada }) => {
    const { finish, ...sent } = await activeThread({ service, rest: ada.rest });
    expectConflict(await sendTo(ada, sent), 'active', '1');
    finish();
    await ada.rest.answer(sent);
    await ada.rest.answer(await ada.rest.send(sent.threadId, 'Now it is taken'));
  });

  it('refuses in error, for good', async ({ service, ada }) => {
    const sent = await failedThread({ service, rest: ada.rest });
    const reply = await sendTo(ada, sent);
    expectConflict(reply, 'error', null);
    expect(reply.body.detail).toContain('in a new thread');
    expectConflict(await sendTo(ada, sent), 'error', null);
  });

  it('refuses in interrupted, and names ways out that exist', async ({ idle, ida }) => {
    const sent = await interruptedThread({ service: idle, rest: ida.rest });
    const reply = await sendTo(ida, sent);
    expectConflict(reply, 'interrupted', null);
    expect(reply.body.detail).toMatch(/with GraphQL, .*web application, .*new thread/);
  });

  it('stores nothing and leaves the thread as it was', async ({ service, ada }) => {
    const sent = await failedThread({ service, rest: ada.rest });
    const look = () => service.database.thread.findUnique({ where: { id: sent.threadId } });
    const before = await look();
    await sendTo(ada, sent);
    expect(await look()).toEqual(before);
    expect(await service.database.message.count({ where: { threadId: sent.threadId } })).toBe(1);
    expect(await service.database.response.count({ where: { threadId: sent.threadId } })).toBe(1);
  });
});

describe('a thread in error', () => {
  it('can still be read, listed and polled', async ({ service, ada }) => {
    const { threadId, messageId } = await failedThread({ service, rest: ada.rest }, { text: 'Hi', said: 'Half' });
    const thread = await ada.rest.get<ThreadBody>(`/threads/${threadId}`);
    expect([thread.status, thread.body.state]).toEqual([200, 'error']);
    const listed = await ada.rest.get<PageBody<ThreadBody>>('/threads');
    expect(listed.body.data.find((each) => each.id === threadId)?.state).toBe('error');
    const messages = await ada.rest.get<PageBody<MessageBody>>(`/threads/${threadId}/messages`);
    expect(messages.body.data.map((message) => message.role)).toEqual(['user', 'assistant']);
    const poll = await ada.rest.get(`/threads/${threadId}/messages/${messageId}/response`);
    expect([poll.status, poll.body.code]).toEqual([404, 'response_failed']);
  });
  it('stays in error, whatever is done with it', async ({ service, ada }) => {
    const { threadId, messageId } = await failedThread({ service, rest: ada.rest }, { text: 'Hi', said: 'Half' });
    const state = async () => (await ada.rest.get<ThreadBody>(`/threads/${threadId}`)).body.state;
    for (const [operation, outcome] of [
      [`sendMessage(input: {threadId: "${threadId}", text: "Hi"})`, 'ThreadNotReadyError'],
      [`sendMessage(input: {threadId: "${threadId}", text: "Hi", onBusy: INTERRUPT})`, 'ThreadNotReadyError'],
      [`resumeThread(id: "${threadId}")`, 'ThreadNotInterruptedError'],
      [`stopResponse(messageId: "${messageId}")`, 'StoppedResponse'],
      [`continueThread(input: {threadId: "${threadId}", text: "Go on"})`, 'PostedMessage'],
      [`renameThread(input: {id: "${threadId}", name: "New"})`, 'Thread'],
      [`setThreadPrivacy(input: {id: "${threadId}", isPrivate: true})`, 'Thread'],
      [`archiveThread(id: "${threadId}")`, 'Thread'],
      [`unarchiveThread(id: "${threadId}")`, 'Thread'],
    ]) {
      const data = await ada.graphql.data(`mutation { done: ${operation} { __typename } }`);
      expect([operation, data, await state()]).toEqual([operation, { done: { __typename: outcome } }, 'error']);
    }
    expectConflict(await sendTo(ada, { threadId, messageId }), 'error', null);
    expect(await state()).toBe('error');
  });
});

const keyed = (key: string) => ({ headers: { 'idempotency-key': key } });

describe('POST /threads › Idempotency-Key', () => {
  it('makes one thread for twenty requests with one key at once, answered alike', async ({ service, ada }) => {
    for (let round = 0; round < 2; round += 1) {
      const before = await service.database.thread.count();
      const requests = Array.from({ length: 20 }, () =>
        ada.rest.post<CreatedBody>('/threads', { text: 'once' }, keyed(`round-${round}`)),
      );
      const replies = await Promise.all(requests);
      expect(new Set(replies.map((reply) => reply.status))).toEqual(new Set([201]));
      expect(new Set(replies.map((reply) => reply.body.thread_id)).size).toBe(1);
      expect(replies.filter((reply) => reply.headers.get('idempotency-replayed') === 'true')).toHaveLength(19);
      expect(await service.database.thread.count()).toBe(before + 1);
    }
  });

  it('takes the key bare or quoted', async ({ ada }) => {
    const bare = await ada.rest.post<CreatedBody>('/threads', { text: 'hi' }, keyed('abc'));
    const quoted = await ada.rest.post<CreatedBody>('/threads', { text: 'hi' }, keyed('"abc"'));
    expect(quoted.body).toEqual(bare.body);
  });

  it('keeps the keys of two users apart', async ({ service, ada }) => {
    const bob = await service.person();
    const first = await ada.rest.post<CreatedBody>('/threads', { text: 'same' }, keyed('shared'));
    const second = await bob.rest.post<CreatedBody>('/threads', { text: 'same' }, keyed('shared'));
    expect(second.body.thread_id).not.toBe(first.body.thread_id);
  });

  it('stores no refusal: the same key works once the request is corrected', async ({ ada }) => {
    expect((await ada.rest.post('/threads', { text: '' }, keyed('mended'))).status).toBe(400);
    expect((await ada.rest.post('/threads', { text: 'mended' }, keyed('mended'))).status).toBe(201);
  });

  it.for(['k'.repeat(256), '', ' ', '""'])('refuses the key "%s", and makes nothing', async (key, { service, ada }) => {
    const before = await service.database.thread.count();
    const { status, body } = await ada.rest.post('/threads', { text: 'x' }, keyed(key));
    expect([status, body.code, body.errors?.[0]?.parameter]).toEqual([400, 'invalid_request', 'Idempotency-Key']);
    expect(await service.database.thread.count()).toBe(before);
  });

  it('refuses two keys for one request', async ({ service, ada }) => {
    const client = new RawClient(service.url);
    const headers = {
      authorization: `Bearer ${ada.token}`,
      'content-type': 'application/json',
      'idempotency-key': ['one', 'two'],
    };
    const reply = await client.send({ method: 'POST', path: '/api/v1/threads', headers, body: '{"text":"x"}' });
    client.close();
    expect([reply.status, JSON.parse(reply.body).errors]).toEqual([
      400,
      [{ parameter: 'Idempotency-Key', message: 'must be given once' }],
    ]);
  });

  it('forgets a key after a day', async ({ service, ada }) => {
    const first = await ada.rest.post<CreatedBody>('/threads', { text: 'day' }, keyed('day'));
    await service.database
      .$executeRaw`UPDATE idempotency_key SET created_at = created_at - interval '25 hours' WHERE key = 'day'`;
    const second = await ada.rest.post<CreatedBody>('/threads', { text: 'day' }, keyed('day'));
    expect(second.status).toBe(201);
    expect(second.body.thread_id).not.toBe(first.body.thread_id);
  });
});

describe('POST /threads/{id}/messages › Idempotency-Key', () => {
  it('is checked before the state: a retry gets its 201, also of a busy thread', async ({ service, ada }) => {
    const { threadId } = await ada.rest.readyThread({ text: 'hello' });
    const held = gate();
    service.model.enqueue([wait(held.passed)]);
    const path = `/threads/${threadId}/messages`;
    const first = await ada.rest.post<{ message_id: string }>(path, { text: 'again' }, keyed('busy'));
    const busy = await ada.rest.post<{ message_id: string }>(path, { text: 'again' }, keyed('busy'));
    expect([busy.status, busy.body.message_id]).toEqual([201, first.body.message_id]);
    expect((await ada.rest.post(path, { text: 'again' })).status).toBe(409);
    held.open();
    await ada.rest.streamToEnd({ threadId, messageId: first.body.message_id });
    const ready = await ada.rest.post<{ message_id: string }>(path, { text: 'again' }, keyed('busy'));
    expect(ready.body.message_id).toBe(first.body.message_id);
    expect(ready.headers.get('idempotency-replayed')).toBe('true');
  });

  it('stores no 409: the key works when the thread is ready', async ({ service, ada }) => {
    const held = gate();
    service.model.enqueue([wait(held.passed)]);
    const { threadId, messageId } = await ada.rest.createThread({ text: 'hello' });
    const path = `/threads/${threadId}/messages`;
    const early = await ada.rest.post(path, { text: 'next' }, keyed('early'));
    held.open();
    await ada.rest.streamToEnd({ threadId, messageId });
    const later = await ada.rest.post(path, { text: 'next' }, keyed('early'));
    expect([early.status, later.status]).toEqual([409, 201]);
  });

  it('belongs to one thread', async ({ ada }) => {
    const one = await ada.rest.readyThread({ text: 'one' });
    const two = await ada.rest.readyThread({ text: 'two' });
    const send = ({ threadId }: { threadId: string }) =>
      ada.rest.post<{ message_id: string }>(`/threads/${threadId}/messages`, { text: 'same' }, keyed('per-thread'));
    expect((await send(one)).body.message_id).not.toBe((await send(two)).body.message_id);
  });
});
