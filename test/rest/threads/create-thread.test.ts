import { describe, expect } from 'vitest';
import type { CreatedBody, MessageBody, PageBody, ProblemBody, ThreadBody } from '../../support/clients/rest-types.js';
import { it } from '../../support/fixtures/service.js';
import type { Person, TestService } from '../../support/service.js';

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

/** Posts the body, and counts the rows that this stored. */
async function post(service: TestService, ada: Person, body: unknown) {
  const before = await countRows(service);
  const reply = await ada.rest.post<ProblemBody>('/threads', JSON.stringify(body));
  return { ...reply, stored: (await countRows(service)) - before };
}

async function countRows(service: TestService): Promise<number> {
  const { thread, message, response } = service.database;
  const counts = await Promise.all([thread.count(), message.count({ where: { role: 'user' } }), response.count()]);
  return counts.reduce((sum, count) => sum + count);
}

// What holds for the body of any request is in `test/rest/http/http-bodies.test.ts`.
describe('POST /threads › 400', () => {
  it.for<[what: string, detail: string, body: unknown]>([
    ['no text', '/text: is required', {}],
    ['null as text', '/text: must be a string', { text: null }],
    ['a number as text', '/text: must be a string', { text: 5 }],
    ['a boolean as text', '/text: must be a string', { text: true }],
    ['a list as text', '/text: must be a string', { text: ['Hi'] }],
    ['an object as text', '/text: must be a string', { text: { text: 'Hi' } }],
    ['an empty text', '/text: must not be empty', { text: '' }],
    ['a text of white space', '/text: must not be empty or only white space', { text: ' \t\r\n\u00a0\u3000' }],
    ['a text of 100,001 characters', '/text: must be at most 100000 characters long', { text: 'x'.repeat(100_001) }],
    ['a text with U+0000', '/text: must not contain U+0000 or unpaired surrogates', { text: 'a\u0000b' }],
    ['a number as name', '/name: must be a string or null', { text: 'Hi', name: 5 }],
    ['a list as name', '/name: must be a string or null', { text: 'Hi', name: [] }],
    ['a name of 256 characters', '/name: must be at most 255 characters long', { text: 'Hi', name: 'x'.repeat(256) }],
    ['an unpaired surrogate', '/text: must not contain U+0000 or unpaired surrogates', { text: 'a\ud800' }],
    ['a name with U+0000', '/name: must not contain U+0000 or unpaired surrogates', { text: 'Hi', name: '\u0000' }],
    ['a word as is_private', '/is_private: must be true or false', { text: 'Hi', is_private: 'true' }],
    ['a number as is_private', '/is_private: must be true or false', { text: 'Hi', is_private: 1 }],
    ['null as is_private', '/is_private: must be true or false', { text: 'Hi', is_private: null }],
    ['two faults at once', '/text: is required; /name: must be a string or null', { name: 5 }],
    ['a list as body', 'The body must be a JSON object', [{ text: 'Hi' }]],
    ['a string as body', 'The body must be a JSON object', 'Hi'],
    ['null as body', 'The body must be a JSON object', null],
  ] as const)(
    'refuses %s, says which value is at fault and what it must be, and stores nothing',
    async ([_what, detail, body], { service, ada }) => {
      const { status, body: problem, stored } = await post(service, ada, body);
      expect({ status, code: problem.code, detail: problem.detail, stored }).toEqual({
        ...{ status: 400, code: 'invalid_request', detail, stored: 0 },
      });
      const pointers = detail.split('; ').map((part) => /^(\/\w+): /.exec(part)?.[1] ?? '');
      expect(problem.errors?.map(({ pointer }) => pointer)).toEqual(pointers);
    },
  );
});
