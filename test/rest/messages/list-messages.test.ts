import { describe, expect } from 'vitest';
import { createId } from '../../../src/ids.js';
import type { MessageBody, PageBody } from '../../support/clients/rest-types.js';
import { it as test } from '../../support/fixtures/service.js';
import { text } from '../../support/model/model-script.js';
import type { Person, TestService } from '../../support/service.js';
import { activeThread } from '../threads/thread-stages.js';
import { numbered, storeMessages } from './stored-messages.js';

type Page = PageBody<MessageBody>;
const moment = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);

/** With a thread of seven messages, which no test that uses it changes. */
const it = test.extend('seven', { scope: 'file' }, ({ service, ada }) => longThread(service, ada, 5));

/** A thread with two messages of its own and `count` more, and the ids of all. */
async function longThread(
  service: TestService,
  ada: Person,
  count: number,
): Promise<{ path: string; ids: string[]; threadId: string }> {
  const { threadId, messageId } = await ada.rest.createThread({ text: 'Hi' });
  const [answer] = await ada.rest.answer({ threadId, messageId });
  const more = await storeMessages(service, threadId, numbered(count));
  return { threadId, path: `/threads/${threadId}/messages`, ids: [messageId, String(answer?.id), ...more] };
}

async function page(ada: Person, path: string): Promise<Page> {
  const { status, body } = await ada.rest.get<Page>(path);
  expect(status, JSON.stringify(body)).toBe(200);
  return body;
}

const list = (person: Person, threadId: string) => page(person, `/threads/${threadId}/messages`);

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

describe('GET /threads/{thread-id}/messages › pages', () => {
  it.for([1, 2, 3, 4, 7, 8])('returns seven messages in pages of %i, each once', async (limit, { ada, seven }) => {
    const seen: string[] = [];
    let after = '';
    for (;;) {
      const { data, ...envelope } = await page(ada, `${seven.path}?limit=${limit}${after}`);
      seen.push(...data.map((message) => message.id));
      const ends = { first_id: data[0]?.id, last_id: data.at(-1)?.id };
      expect(envelope).toEqual({ ...ends, has_more: seen.length < 7, limit });
      if (!envelope.has_more) break;
      after = `&after=${envelope.last_id}`;
    }
    expect(seen).toEqual(seven.ids);
  });

  it('gives fifty without a limit, and at most two hundred', async ({ service, ada }) => {
    const { path, ids } = await longThread(service, ada, 199);
    const sizes = async (query: string) => {
      const { data, limit, has_more } = await page(ada, `${path}${query}`);
      return [data.length, limit, has_more];
    };
    expect(await sizes('')).toEqual([50, 50, true]);
    expect(await sizes('?limit=50')).toEqual([50, 50, true]);
    for (const limit of [200, 201, 1000, 999_999_999]) {
      expect(await sizes(`?limit=${limit}`), `limit ${limit}`).toEqual([200, 200, true]);
    }
    expect((await page(ada, `${path}?limit=500&after=${ids[199]}`)).data.map((message) => message.id)).toEqual([
      ids[200],
    ]);
  });

  it('gives an empty page after the last message, and with the same cursor what is added', async ({ service, ada }) => {
    const { threadId, path, ids } = await longThread(service, ada, 1);
    const cursor = `${path}?after=${ids.at(-1)}`;
    const empty = { data: [], first_id: null, last_id: null, has_more: false, limit: 50 };
    expect(await page(ada, cursor)).toEqual(empty);
    const added = await storeMessages(service, threadId, numbered(2));
    expect((await page(ada, cursor)).data.map((message) => message.id)).toEqual(added);
  });
});

describe('GET /threads/{thread-id}/messages › 400', () => {
  it('refuses every id of no message of the thread as a cursor, in one way', async ({
    service,
    ada,
    seven: { path, threadId },
  }) => {
    const elsewhere = await ada.rest.createThread({ text: 'Another thread' });
    const foreign = await (await service.person({ org: 'other' })).rest.createThread({ text: 'Theirs' });
    const details = new Set<string>();
    for (const after of [createId('msg'), elsewhere.messageId, foreign.messageId, threadId, 'nonsense', '']) {
      const { status, body } = await ada.rest.get(`${path}?after=${after}`);
      expect([after, status, body.code]).toEqual([after, 400, 'invalid_cursor']);
      expect(body.errors).toEqual([{ parameter: 'after', message: expect.any(String) }]);
      details.add(body.detail);
    }
    expect(details.size).toBe(1);
  });

  it.for(['%00', 'a%00b', 'x'.repeat(501)])('refuses the cursor "%s"', async (after, { ada, seven }) => {
    const { status, body } = await ada.rest.get(`${seven.path}?after=${after}`);
    expect([status, body.errors?.[0]?.parameter]).toEqual([400, 'after']);
  });
});
