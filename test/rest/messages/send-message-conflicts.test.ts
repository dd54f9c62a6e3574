import { describe, expect } from 'vitest';
import type { RestReply, Sent } from '../../support/clients/rest-client.js';
import type { MessageBody, PageBody, ProblemBody, ThreadBody } from '../../support/clients/rest-types.js';
import { serviceTest } from '../../support/fixtures/service.js';
import type { Person } from '../../support/service.js';
import { activeThread, failedThread, interruptedThread } from '../threads/thread-stages.js';

const it = serviceTest().extend('ida', { scope: 'file' }, ({ idle }) => idle.person());

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
