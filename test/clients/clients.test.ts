/** The description is fit for code generators: what one makes of it compiles under strict options and works on the real service. */
import { execFile } from 'node:child_process';
import { cp, mkdir, symlink, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect } from 'vitest';
import type { Scope } from '../../src/contract.js';
import { readDocument } from '../rest/openapi/openapi-document.js';
import { serviceTest } from '../support/fixtures/service.js';
import { gate, text, wait } from '../support/model/model-script.js';
import { newcomer } from '../support/threads.js';
import type { Access, Client, Outcome } from './client.js';

/** Gives the generator TypeScript 5. */
const hook = 'test/support/typescript-5.mjs';
const copied = ['tsconfig.json', 'src/http/problems/codes.ts', hook, 'test/clients'];

/** Runs a program of a package in the folder of the callers. */
function run(root: string, ...args: string[]): Promise<{ code: number; output: string }> {
  return new Promise((done) => {
    const child = execFile(process.execPath, args, { cwd: join(root, 'test/clients') }, (_error, stdout, stderr) =>
      done({ code: child.exitCode ?? -1, output: stdout + stderr }),
    );
  });
}

/** Makes a project of a developer who calls Skein: the description, a client that the generator made from it, and its caller. */
async function makeProject(root: string, document: object): Promise<void> {
  for (const path of copied) {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await cp(path, join(root, path), { recursive: true });
  }
  await writeFile(join(root, 'package.json'), '{ "type": "module" }');
  await symlink(resolve('node_modules'), join(root, 'node_modules'));
  await writeFile(join(root, 'test/clients/openapi.json'), JSON.stringify(document));
  const program = join(root, 'node_modules/openapi-typescript/bin/cli.js');
  const output = ['--output', 'generated/openapi-typescript.d.ts'];
  const made = await run(root, '--import', join(root, hook), program, 'openapi.json', ...output);
  if (made.code !== 0) throw new Error(`No client can be made:\n${made.output}`);
}

/** `client` is that of a new user, who sees no thread of another test, and `connect` gives others. */
const it = serviceTest()
  .extend('project', { scope: 'file' }, async ({ folder, service }) => {
    await makeProject(folder, await readDocument(service.client()));
    return folder;
  })
  .extend('connect', ({ service, project }) => async (scopes?: Scope[]): Promise<Client> => {
    const { id, token } = await newcomer(service);
    const url = pathToFileURL(join(project, 'test/clients/callers/openapi-typescript.ts')).href;
    const caller: { connect: (access: Access) => Client } = await import(url);
    return caller.connect({
      baseUrl: `${service.url}/api/v1`,
      token: scopes ? await service.token(id, scopes) : token,
    });
  })
  .extend('client', ({ connect }) => connect());

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

it('the generated client compiles under the strictest options of TypeScript, with its caller', async ({ project }) => {
  const compiler = join(project, 'node_modules/typescript/bin/tsc');
  expect((await run(project, compiler, '--build', 'callers')).output).toBe('');
});

describe('the generated client', () => {
  it('identifies the caller', async ({ client }) => {
    expect(await client.role()).toBe('member');
  });

  it('creates a thread from its text alone, and finds it', async ({ client }) => {
    const { threadId } = await readyThread(client);
    const thread = dataOf(await client.getThread(threadId));
    expect(thread).toMatchObject({ id: threadId, name: null, state: 'ready', is_private: false });
    expect(dataOf(await client.listThreads({})).data).toEqual([thread]);
  });

  it('creates a thread once, however often it sends the same key', async ({ client }) => {
    const created = dataOf(await client.createThread('Hi', 'once'));
    expect(dataOf(await client.createThread('Hi', 'once'))).toEqual(created);
    await allOf(client.tokens(created.thread_id, created.message_id));
  });

  it('lists threads by filter, in order and page by page', async ({ client }) => {
    const ids: string[] = [];
    for (const words of ['red apples', 'green pears', 'green apples'])
      ids.push((await readyThread(client, words)).threadId);
    const query = { q: 'green', private: false, sort_by: 'created_at', sort_dir: 'asc', limit: 1 } as const;
    const first = dataOf(await client.listThreads(query));
    expect([first.data.map(({ id }) => id), first.has_more]).toEqual([[ids[1]], true]);
    const second = dataOf(await client.listThreads({ ...query, after: first.last_id ?? '' }));
    expect([second.data.map(({ id }) => id), second.has_more]).toEqual([[ids[2]], false]);
  });

  it('sends a further message, polls until the response is complete, and rates it', async ({ service, client }) => {
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

  it('streams a response token by token, while it is being made', async ({ service, client }) => {
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

  it('tells problems apart by their typed code, with what belongs to each', async ({ client, connect }) => {
    expect(await client.getThread('thr_none')).toMatchObject({ problem: { status: 404, code: 'not_found' } });
    expect(await client.createThread(' ')).toMatchObject({
      problem: { status: 400, code: 'invalid_request', errors: [{ pointer: '/text' }] },
    });
    expect(await client.listThreads({ limit: 0 })).toMatchObject({
      problem: { status: 400, code: 'invalid_request', errors: [{ parameter: 'limit' }] },
    });
    const reader = await connect(['threads:read']);
    expect(await reader.createThread('Hi')).toMatchObject({
      problem: { status: 403, code: 'insufficient_scope', required_scope: 'threads:write' },
    });
  });

  it('reads the state of the thread from a conflict', async ({ service, client }) => {
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
