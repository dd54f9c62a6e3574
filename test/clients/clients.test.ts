/** The description is fit for code generators: what they make of it compiles under strict options and works on the real service. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Scope } from '../../src/contract.js';
import { readDocument } from '../rest/openapi/openapi-document.js';
import { gate, text, wait } from '../support/model/model-script.js';
import { startTestService, type TestService } from '../support/service.js';
import type { Client, Outcome } from './client.js';
import { ClientProject, type Generator, generatorNames } from './project.js';

let service: TestService;
let project: ClientProject;
beforeAll(async () => {
  service = await startTestService();
  project = await ClientProject.from(await readDocument(service.client()));
});
afterAll(async () => {
  await service.stop();
  await project.remove();
});

/** A client of a new user, who sees no thread of another test. */
async function newcomer(generator: Generator, scopes?: Scope[]): Promise<Client> {
  const { token } = await service.person({ org: crypto.randomUUID(), ...(scopes && { scopes }) });
  return project.connect(generator, { baseUrl: `${service.url}/api/v1`, token });
}

function dataOf<Data>(outcome: Outcome<Data>): Data {
  if ('problem' in outcome) throw new Error(outcome.problem.detail);
  return outcome.data;
}

async function allOf(tokens: AsyncIterable<string>): Promise<string[]> {
  const all: string[] = [];
  for await (const token of tokens) all.push(token);
  return all;
}

/** A thread whose first response is complete. */
async function readyThread(client: Client, words = 'Hi'): Promise<{ threadId: string; messageId: string }> {
  const { thread_id: threadId, message_id: messageId } = dataOf(await client.createThread(words));
  await allOf(client.tokens(threadId, messageId));
  return { threadId, messageId };
}

it('the generated clients compile under the strictest options of TypeScript, with their callers', async () => {
  expect(await project.typeErrors()).toBe('');
});

describe.each(generatorNames)('a client by %s', (generator) => {
  it('identifies the caller', async () => {
    expect(await (await newcomer(generator)).role()).toBe('member');
  });

  it('creates a thread from its text alone, and finds it', async () => {
    const client = await newcomer(generator);
    const { threadId } = await readyThread(client);
    const thread = dataOf(await client.getThread(threadId));
    expect(thread).toMatchObject({ id: threadId, name: null, state: 'ready', is_private: false });
    expect(dataOf(await client.listThreads({})).data).toEqual([thread]);
  });

  it('creates a thread once, however often it sends the same key', async () => {
    const client = await newcomer(generator);
    const created = dataOf(await client.createThread('Hi', 'once'));
    expect(dataOf(await client.createThread('Hi', 'once'))).toEqual(created);
    await allOf(client.tokens(created.thread_id, created.message_id));
  });

  it('lists threads by filter, in order and page by page', async () => {
    const client = await newcomer(generator);
    const ids: string[] = [];
    for (const words of ['red apples', 'green pears', 'green apples'])
      ids.push((await readyThread(client, words)).threadId);
    const query = { q: 'green', private: false, sort_by: 'created_at', sort_dir: 'asc', limit: 1 } as const;
    const first = dataOf(await client.listThreads(query));
    expect([first.data.map(({ id }) => id), first.has_more]).toEqual([[ids[1]], true]);
    const second = dataOf(await client.listThreads({ ...query, after: first.last_id ?? '' }));
    expect([second.data.map(({ id }) => id), second.has_more]).toEqual([[ids[2]], false]);
  });

  it('sends a further message, polls until the response is complete, and rates it', async () => {
    const client = await newcomer(generator);
    const { threadId } = await readyThread(client);
    const { passed, open } = gate();
    service.model.enqueue([wait(passed), text('Fine.')]);
    const { message_id: messageId } = dataOf(await client.sendMessage(threadId, 'How are you?'));
    expect(dataOf(await client.poll(threadId, messageId))).toBe('processing');
    open();
    await allOf(client.tokens(threadId, messageId));
    const answers = dataOf(await client.poll(threadId, messageId));
    expect(answers).toEqual([expect.stringMatching(/^msg_/)]);
    expect(await client.transcript(threadId)).toEqual([
      'user: Hi',
      'assistant: Hello from the model.',
      'user: How are you?',
      'assistant: Fine.',
    ]);
    expect(dataOf(await client.rateMessage(threadId, String(answers[0]), true))).toBe('rated');
  });

  it('streams a response token by token, while it is being made', async () => {
    const client = await newcomer(generator);
    const { passed, open } = gate();
    service.model.enqueue([text('First, '), wait(passed), text('then the rest.')]);
    const { thread_id: threadId, message_id: messageId } = dataOf(await client.createThread('Hi'));
    const received: string[] = [];
    for await (const token of client.tokens(threadId, messageId)) {
      received.push(token);
      open();
    }
    expect(received).toEqual(['First, ', 'then the rest.']);
  });

  it('tells problems apart by their typed code, with what belongs to each', async () => {
    const client = await newcomer(generator);
    expect(await client.getThread('thr_none')).toMatchObject({ problem: { status: 404, code: 'not_found' } });
    expect(await client.createThread(' ')).toMatchObject({
      problem: { status: 400, code: 'invalid_request', errors: [{ pointer: '/text' }] },
    });
    expect(await client.listThreads({ limit: 0 })).toMatchObject({
      problem: { status: 400, code: 'invalid_request', errors: [{ parameter: 'limit' }] },
    });
    const reader = await newcomer(generator, ['threads:read']);
    expect(await reader.createThread('Hi')).toMatchObject({
      problem: { status: 403, code: 'insufficient_scope', required_scope: 'threads:write' },
    });
  });

  it('reads the state of the thread from a conflict', async () => {
    const client = await newcomer(generator);
    const { passed, open } = gate();
    service.model.enqueue([wait(passed), text('Done.')]);
    const { thread_id: threadId, message_id: messageId } = dataOf(await client.createThread('Hi'));
    const refused = await client.sendMessage(threadId, 'And?');
    expect(refused).toMatchObject({ problem: { status: 409, code: 'thread_not_ready' } });
    expect(refused).toMatchObject({ problem: { thread_state: expect.stringMatching(/^(waiting|active)$/) } });
    open();
    await allOf(client.tokens(threadId, messageId));
  });
});
