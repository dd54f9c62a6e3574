import { describe, expect } from 'vitest';
import { createId } from '../../../src/ids.js';
import type { MessageBody, PageBody } from '../../support/clients/rest-types.js';
import { it } from '../../support/fixtures/service.js';
import { text } from '../../support/model/model-script.js';
import type { Person } from '../../support/service.js';
import { activeThread } from '../threads/thread-stages.js';
import { storeMessages } from './stored-messages.js';

type Page = PageBody<MessageBody>;
const moment = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);

async function list(person: Person, threadId: string): Promise<Page> {
  const { status, body } = await person.rest.get<Page>(`/threads/${threadId}/messages`);
  expect(status).toBe(200);
  return body;
}

describe('GET /threads/{thread-id}/messages › 200', () => {
  it('gives the page envelope with every field of a user message and of its answer', async ({ service, ada }) => {
    service.model.enqueue([text('Hello '), text('Ada')]);
    const { threadId, messageId } = await ada.rest.readyThread({ text: 'Hi there' });
    const { body } = await ada.rest.get<Page>(`/threads/${threadId}/messages`);
    const answerId = body.last_id;
    const common = { thread_id: threadId, created_at: moment };
    const urlOf = (id: string | null) => `https://skein.test/threads/${threadId}/messages/${id}`;
    const question = { role: 'user', contents: [{ type: 'text', text: 'Hi there' }] };
    const answer = { role: 'assistant', contents: [{ type: 'text', text: 'Hello Ada' }] };
    expect(answerId).toEqual(expect.any(String));
    expect(body).toEqual({
      data: [
        { id: messageId, ...common, ...question, app_url: urlOf(messageId) },
        { id: answerId, ...common, ...answer, app_url: urlOf(answerId) },
      ],
      first_id: messageId,
      last_id: answerId,
      has_more: false,
      limit: 50,
    });
  });

  it('gives each variant of a content block with its fields, in order', async ({ service, ada }) => {
    const { threadId } = await ada.rest.readyThread({ text: 'Hi' });
    const attachmentId = createId('att');
    await storeMessages(service, threadId, [
      {
        contents: [
          { type: 'document', attachmentId },
          { type: 'text', text: 'See' },
          { type: 'image', attachmentId },
          { type: 'user_get_choice', toolUseId: 'call_1', question: 'Which?', choices: ['One', 'Two'] },
        ],
      },
    ]);
    expect((await list(ada, threadId)).data.at(-1)?.contents).toEqual([
      { type: 'document', attachment_id: attachmentId },
      { type: 'text', text: 'See' },
      { type: 'image', attachment_id: attachmentId },
      { type: 'user_get_choice', tool_use_id: 'call_1', question: 'Which?', choices: ['One', 'Two'] },
    ]);
  });

  it('orders by the time of creation, oldest first, whatever the ids', async ({ service, ada }) => {
    const { threadId } = await ada.rest.readyThread({ text: 'Hi' });
    const [older, newer] = [createId('msg'), createId('msg')];
    await storeMessages(service, threadId, [{ id: newer }, { id: older }]);
    const { data } = await list(ada, threadId);
    expect(data.slice(-2).map((message) => message.id)).toEqual([newer, older]);
    const times = data.map((message) => message.created_at);
    expect(times).toEqual([...times].sort());
    expect(new Set(times).size).toBe(4);
  });

  it('lists only active messages: a summary is in place of what it replaced', async ({ service, database, ada }) => {
    const { threadId, messageId } = await ada.rest.readyThread({ text: 'Long ago' });
    const [summaryId] = await storeMessages(service, threadId, [
      { role: 'summary', contents: [{ type: 'text', text: 'They greeted.' }] },
    ]);
    await database.message.updateMany({ where: { threadId, role: { not: 'summary' } }, data: { active: false } });
    const next = await ada.rest.send(threadId, 'Go on');
    await ada.rest.answer(next);
    const { data } = await list(ada, threadId);
    expect(data.map((message) => message.role)).toEqual(['summary', 'user', 'assistant']);
    expect(data.map((message) => message.id)).not.toContain(messageId);
    expect(data[0]).toMatchObject({ id: summaryId, contents: [{ type: 'text', text: 'They greeted.' }] });
  });

  it('shows the user message alone while the response is being generated', async ({ service, ada }) => {
    const thread = await activeThread({ service, rest: ada.rest });
    expect((await list(ada, thread.threadId)).data.map((message) => message.id)).toEqual([thread.messageId]);
    thread.finish();
  });
});

describe('GET /threads/{thread-id}/messages › 404', () => {
  it('comes before a fault of the cursor', async ({ ada }) => {
    const { status } = await ada.rest.get(`/threads/${createId('thr')}/messages?after=${createId('msg')}`);
    expect(status).toBe(404);
  });
});
