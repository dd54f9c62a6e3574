import { describe, expect } from 'vitest';
import { createId } from '../../../src/ids.js';
import type { MessageBody, PageBody } from '../../support/clients/rest-types.js';
import { it } from '../../support/fixtures/service.js';
import { text, toolCall } from '../../support/model/model-script.js';
import type { Person } from '../../support/service.js';
import { activeThread, failedThread } from '../threads/thread-stages.js';
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

  it('gives each variant of a content block with its own fields, in the order of the message', async ({
    service,
    ada,
  }) => {
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

  it('gives a question that the model asks as a block of its message', async ({ service, ada }) => {
    const call = { id: 'call_7', name: 'user_get_choice', arguments: { question: 'Tea?', choices: ['Yes', 'No'] } };
    service.model.enqueue([text('One thing.'), ...toolCall(call)]);
    const { threadId } = await ada.rest.readyThread({ text: 'Help me' });
    expect((await list(ada, threadId)).data.at(-1)?.contents).toEqual([
      { type: 'text', text: 'One thing.' },
      { type: 'user_get_choice', tool_use_id: 'call_7', question: 'Tea?', choices: ['Yes', 'No'] },
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

  it('lists only active messages: a summary is in place of what it replaced', async ({ service, ada }) => {
    const { threadId, messageId } = await ada.rest.readyThread({ text: 'Long ago' });
    const [summaryId] = await storeMessages(service, threadId, [
      { role: 'summary', contents: [{ type: 'text', text: 'They greeted.' }] },
    ]);
    const { database } = service.service;
    await database.message.updateMany({ where: { threadId, role: { not: 'summary' } }, data: { active: false } });
    const next = await ada.rest.send(threadId, 'Go on');
    await ada.rest.answer(next);
    const { data } = await list(ada, threadId);
    expect(data.map((message) => message.role)).toEqual(['summary', 'user', 'assistant']);
    expect(data.map((message) => message.id)).not.toContain(messageId);
    expect(data[0]).toMatchObject({ id: summaryId, contents: [{ type: 'text', text: 'They greeted.' }] });
  });

  it('lists the messages of a public thread for every member of the organization', async ({ service, ada }) => {
    const colleague = await service.person();
    const { threadId } = await ada.rest.readyThread({ text: 'For all' });
    expect(await list(colleague, threadId)).toEqual(await list(ada, threadId));
  });

  it('shows the user message alone while the response is being generated', async ({ service, ada }) => {
    const thread = await activeThread({ service, rest: ada.rest });
    expect((await list(ada, thread.threadId)).data.map((message) => message.id)).toEqual([thread.messageId]);
    thread.finish();
  });

  it('lists a thread in error, with the text from before the failure', async ({ service, ada }) => {
    const { threadId } = await failedThread({ service, rest: ada.rest }, { text: 'Hi', said: 'Half' });
    const contents = (await list(ada, threadId)).data.map((message) => message.contents);
    expect(contents).toEqual([[{ type: 'text', text: 'Hi' }], [{ type: 'text', text: 'Half' }]]);
  });
});

describe('GET /threads/{thread-id}/messages › 404', () => {
  it('answers the same for a thread that does not exist, is malformed, of another organization, or private', async ({
    service,
    ada,
  }) => {
    const stranger = await service.person({ org: 'other' });
    const colleague = await service.person();
    const foreign = await stranger.rest.createThread({ text: 'Theirs' });
    const secret = await colleague.rest.createThread({ text: 'Secret', is_private: true });
    const bodies = new Set<string>();
    for (const id of [createId('thr'), 'nonsense', foreign.threadId, secret.threadId, secret.messageId]) {
      const { status, body } = await ada.rest.get(`/threads/${id}/messages`);
      expect([id, status, body.code]).toEqual([id, 404, 'not_found']);
      bodies.add(JSON.stringify({ ...body, request_id: '' }));
    }
    expect(bodies.size).toBe(1);
  });

  it('comes before a fault of the cursor', async ({ ada }) => {
    const { status } = await ada.rest.get(`/threads/${createId('thr')}/messages?after=${createId('msg')}`);
    expect(status).toBe(404);
  });
});
