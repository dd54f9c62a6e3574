import { describe, expect } from 'vitest';
import type { MessageBody, PageBody, PollBody, ThreadBody } from '../../support/clients/rest-types.js';
import { joinTokens } from '../../support/clients/sse.js';
import { it as test } from '../../support/fixtures/service.js';
import { text } from '../../support/model/model-script.js';
import type { Person } from '../../support/service.js';

/** With a thread to which no test that uses it adds anything. */
const it = test.extend('unchanged', { scope: 'file' }, ({ ada }) => ada.rest.readyThread({ text: 'First' }));

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

// What else a text must not be is the same for a new thread: `create-thread-input.test.ts`.
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
