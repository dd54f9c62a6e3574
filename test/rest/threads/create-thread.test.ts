import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { CreatedBody, MessageBody, PageBody, ThreadBody } from '../../support/rest-types.js';
import { type Person, startTestService, type TestService } from '../../support/service.js';
import { describeRefusals } from './thread-refusals.js';

let service: TestService;
let ada: Person;
beforeAll(async () => {
  service = await startTestService();
  ada = await service.person({ org: 'acme', name: 'Ada' });
});
afterAll(() => service.stop());

async function read(id: string, person = ada): Promise<ThreadBody> {
  return (await person.rest.get<ThreadBody>(`/threads/${id}`)).body;
}

async function firstMessage(id: string): Promise<MessageBody | undefined> {
  return (await ada.rest.get<PageBody<MessageBody>>(`/threads/${id}/messages`)).body.data[0];
}

describe('POST /threads › 201', () => {
  it('gives the ids of the thread and of its first message, and where the thread is', async () => {
    const { status, headers, body } = await ada.rest.post<CreatedBody>('/threads', { text: 'Hi' });
    expect(status).toBe(201);
    expect(body).toEqual({ thread_id: expect.stringMatching(/^thr_/), message_id: expect.stringMatching(/^msg_/) });
    expect(headers.get('location')).toBe(`/api/v1/threads/${body.thread_id}`);
    expect(headers.get('cache-control')).toBe('no-store');
  });

  it('creates a public thread of the caller without a name, where nothing else is asked for', async () => {
    const { threadId } = await ada.rest.createThread({ text: 'Hi' });
    const thread = await read(threadId);
    expect(thread).toMatchObject({
      name: null,
      is_private: false,
      archived: false,
      owner: { id: ada.id, name: 'Ada' },
    });
    expect(['waiting', 'active', 'ready']).toContain(thread.state);
  });

  it('stores the text as the first message of the user', async () => {
    const { threadId, messageId } = await ada.rest.createThread({ text: 'Where is Rome?' });
    expect(await firstMessage(threadId)).toEqual({
      id: messageId,
      thread_id: threadId,
      role: 'user',
      contents: [{ type: 'text', text: 'Where is Rome?' }],
      created_at: (await read(threadId)).created_at,
      app_url: `https://skein.test/threads/${threadId}/messages/${messageId}`,
    });
  });

  it('triggers the response, after which the thread is ready', async () => {
    const sent = await ada.rest.createThread({ text: 'A question like no other' });
    const [answer] = await ada.rest.answer(sent);
    expect(answer).toMatchObject({ role: 'assistant', contents: [{ type: 'text', text: 'Hello from the model.' }] });
    expect((await read(sent.threadId)).state).toBe('ready');
    const asked = service.model.requests.filter(({ body }) =>
      JSON.stringify(body).includes('A question like no other'),
    );
    expect(asked).toHaveLength(1);
  });

  it.each([
    ['a name', 'Trip to Rome'],
    ['null', null],
    ['an empty name', ''],
    ['255 characters outside of the basic plane', '🛵'.repeat(255)],
    ['white space', '  Trip  '],
  ])('keeps %s as the name', async (_title, name) => {
    const { threadId } = await ada.rest.createThread({ text: 'Hi', name });
    expect((await read(threadId)).name).toBe(name);
  });

  it('creates a private thread that nobody else sees', async () => {
    const bob = await service.person({ org: 'acme' });
    const { threadId } = await ada.rest.createThread({ text: 'Hi', is_private: true });
    expect(await read(threadId)).toMatchObject({ id: threadId, is_private: true });
    expect((await bob.rest.get(`/threads/${threadId}`)).status).toBe(404);
  });

  it('creates a public thread that the whole organization sees', async () => {
    const bob = await service.person({ org: 'acme' });
    const { threadId } = await ada.rest.createThread({ text: 'Hi', is_private: false });
    expect(await read(threadId, bob)).toMatchObject({ id: threadId, is_private: false });
  });

  it.each([
    ['white space around it', '  \r\n\t Hi \n '],
    ['composed and decomposed accents', 'caf\u00e9 cafe\u0301'],
    ['marks of direction and a byte order mark', '\ufeffa\u202eb\u200d'],
    ['quotes and what SQL and JSON mean by it', `"';DROP TABLE thread;--\\u0041\\`],
    ['one character', '.'],
    ['100,000 characters outside of the basic plane', '🎉'.repeat(100_000)],
  ])('keeps a text with %s as it is', async (_title, text) => {
    const { threadId } = await ada.rest.createThread({ text });
    const message = await firstMessage(threadId);
    // Compared as a boolean, because the difference of two texts of this length would be no help.
    expect(JSON.stringify(message?.contents) === JSON.stringify([{ type: 'text', text }])).toBe(true);
  });

  it('makes two threads of two equal requests', async () => {
    const [one, two] = await Promise.all([1, 2].map(() => ada.rest.createThread({ text: 'Same', name: 'Same' })));
    expect(one?.threadId).not.toBe(two?.threadId);
    expect(one?.messageId).not.toBe(two?.messageId);
  });

  it('ignores fields that it does not have, whatever they are called', async () => {
    const id = 'thr_01kamqz4m0fjd9h3n5b8s2c7x1';
    const fields = { id, state: 'error', archived: true, owner_id: 'x', created_at: '2001-01-01T00:00:00Z', epoch: 9 };
    const { threadId } = await ada.rest.createThread({ text: 'Hi', ...fields });
    expect(threadId).not.toBe(id);
    const thread = await read(threadId);
    expect(thread).toMatchObject({ archived: false, owner: { id: ada.id } });
    expect(thread.state).not.toBe('error');
    expect(thread.created_at).not.toContain('2001');
  });

  it('creates threads under the alpha prefix too', async () => {
    const { status, headers, body } = await service
      .client(ada.token, '/api/v1-alpha0')
      .post<CreatedBody>('/threads', { text: 'Hi' });
    expect(status).toBe(201);
    expect(headers.get('location')).toBe(`/api/v1-alpha0/threads/${body.thread_id}`);
    expect((await read(body.thread_id)).id).toBe(body.thread_id);
  });
});

describeRefusals(
  { title: 'POST /threads', method: 'POST', path: '/threads', body: { text: 'Hi' }, scope: 'threads:write' },
  () => service,
);
