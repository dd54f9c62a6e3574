import { describe, expect } from 'vitest';
import type { CreatedBody, MessageBody, PageBody, ThreadBody } from '../../support/clients/rest-types.js';
import { it } from '../../support/fixtures/service.js';
import type { Person } from '../../support/service.js';

async function read(person: Person, id: string): Promise<ThreadBody> {
  return (await person.rest.get<ThreadBody>(`/threads/${id}`)).body;
}

async function firstMessage(ada: Person, id: string): Promise<MessageBody | undefined> {
  return (await ada.rest.get<PageBody<MessageBody>>(`/threads/${id}/messages`)).body.data[0];
}

describe('POST /threads › 201', () => {
  it('returns the ids of the thread and its first message, and the URL of the thread', async ({ ada }) => {
    const { status, headers, body } = await ada.rest.post<CreatedBody>('/threads', { text: 'Hi' });
    expect(status).toBe(201);
    expect(body).toEqual({ thread_id: expect.stringMatching(/^thr_/), message_id: expect.stringMatching(/^msg_/) });
    expect(headers.get('location')).toBe(`/api/v1/threads/${body.thread_id}`);
    expect(headers.get('cache-control')).toBe('no-store');
  });

  it('creates a public thread without a name by default', async ({ ada }) => {
    const { threadId } = await ada.rest.createThread({ text: 'Hi' });
    const thread = await read(ada, threadId);
    expect(thread).toMatchObject({
      name: null,
      is_private: false,
      archived: false,
      owner: { id: ada.id, name: 'Ada' },
    });
    expect(['waiting', 'active', 'ready']).toContain(thread.state);
  });

  it('triggers the response, after which the thread is ready', async ({ service, ada }) => {
    const sent = await ada.rest.createThread({ text: 'A question like no other' });
    const [answer] = await ada.rest.answer(sent);
    expect(answer).toMatchObject({ role: 'assistant', contents: [{ type: 'text', text: 'Hello from the model.' }] });
    expect((await read(ada, sent.threadId)).state).toBe('ready');
    const asked = service.model.requests.filter(({ body }) =>
      JSON.stringify(body).includes('A question like no other'),
    );
    expect(asked).toHaveLength(1);
  });

  it.for([
    ['a name', 'Trip to Rome'],
    ['null', null],
    ['an empty name', ''],
    ['255 characters outside of the basic plane', '🛵'.repeat(255)],
    ['white space', '  Trip  '],
  ] as const)('keeps %s as the name', async ([_title, name], { ada }) => {
    const { threadId } = await ada.rest.createThread({ text: 'Hi', name });
    expect((await read(ada, threadId)).name).toBe(name);
  });

  it.for([
    ['white space around it', '  \r\n\t Hi \n '],
    ['composed and decomposed accents', 'caf\u00e9 cafe\u0301'],
    ['marks of direction and a byte order mark', '\ufeffa\u202eb\u200d'],
    ['quotes and what SQL and JSON mean by it', `"';DROP TABLE thread;--\\u0041\\`],
    ['one character', '.'],
    ['100,000 characters outside of the basic plane', '🎉'.repeat(100_000)],
  ] as const)('keeps a text with %s as it is', async ([_title, text], { ada }) => {
    const { threadId } = await ada.rest.createThread({ text });
    const message = await firstMessage(ada, threadId);
    // Compared as a boolean, because the difference of two texts of this length would be no help.
    expect(JSON.stringify(message?.contents) === JSON.stringify([{ type: 'text', text }])).toBe(true);
  });

  it('creates two threads for two equal requests', async ({ ada }) => {
    const [one, two] = await Promise.all([1, 2].map(() => ada.rest.createThread({ text: 'Same', name: 'Same' })));
    expect(one?.threadId).not.toBe(two?.threadId);
    expect(one?.messageId).not.toBe(two?.messageId);
  });

  it('ignores fields that it does not have, whatever they are called', async ({ ada }) => {
    const id = 'thr_01kamqz4m0fjd9h3n5b8s2c7x1';
    const fields = { id, state: 'error', archived: true, owner_id: 'x', created_at: '2001-01-01T00:00:00Z', epoch: 9 };
    const { threadId } = await ada.rest.createThread({ text: 'Hi', ...fields });
    expect(threadId).not.toBe(id);
    const thread = await read(ada, threadId);
    expect(thread).toMatchObject({ archived: false, owner: { id: ada.id } });
    expect(thread.state).not.toBe('error');
    expect(thread.created_at).not.toContain('2001');
  });
});
