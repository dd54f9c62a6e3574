/** `PROCESSES=2 skein serve`: one command, one log, one end, and two processes that serve behind one port. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { identityOf } from '../../src/database/embedded/process/identity.js';
import { StreamClient } from '../graphql/streams/stream-client.js';
import { RestClient } from '../support/clients/rest-client.js';
import type { ThreadBody } from '../support/clients/rest-types.js';
import { joinTokens, type ReceivedEvent } from '../support/clients/sse.js';
import { gate, hang, text, wait } from '../support/model/model-script.js';
import { type ModelServer, startModelServer } from '../support/model/model-server.js';
import { command } from './command.js';
import { answeredBy, askOnce, type LogLine, livingPids, logOf, startedPids } from './group.js';
import { dataDirectory, end, type Service, serve } from './program.js';

const patient = { timeout: 60_000 };

let directory: Awaited<ReturnType<typeof dataDirectory>>;
let model: ModelServer;
let service: Service;
let token: string;
let rest: RestClient;
const start = () =>
  serve({ DATA_DIR: directory.path, PROCESSES: '2', AI_MODEL: 'compatible:scripted', AI_BASE_URL: model.url });
/** The first line is the id of the process. */
const postmasterFile = () => join(directory.path, 'postgres/postmaster.pid');
const postmaster = () => Number.parseInt(readFileSync(postmasterFile(), 'utf8'), 10);
beforeAll(async () => {
  directory = await dataDirectory();
  model = await startModelServer();
  service = await start();
  [token] = await service.prints(/skn_pat_[0-9A-Za-z]{36}/);
  rest = new RestClient({ origin: service.url, prefix: '/api/v1', token });
});
afterAll(async () => {
  await end(service, 'SIGKILL');
  await model.close();
  // Its database goes on running; the command stops it.
  await command(['migrate'], { DATA_DIR: directory.path });
  await directory.remove();
});

const authorization = () => ({ authorization: `Bearer ${token}` });

describe('two processes', () => {
  it('start with one first-run notice, one migration and one address', () => {
    expect(service.stdout.match(/Welcome to Skein/g)).toHaveLength(1);
    expect(logOf(service).filter(({ migrations }) => migrations)).toMatchObject([{ process: 0 }]);
    expect(logOf(service).filter(({ msg }) => msg.startsWith('serving REST'))).toMatchObject([{ process: 0 }]);
    expect(startedPids(service).map(({ number }) => number)).toEqual([1, 2]);
  });

  it('both serve, and each line of the log names its process', async () => {
    for (const _ of [1, 2, 3, 4]) {
      expect((await askOnce(`${service.url}/api/v1/me`, { headers: authorization() })).status).toBe(200);
    }
    await vi.waitFor(() => expect(answeredBy(service, /\/me$/)).toEqual([1, 2]), patient);
    expect(logOf(service).filter((line) => !Number.isInteger(line.process) || !line.pid)).toEqual([]);
  });

  it('stream a response whole, whichever of them generates it', async () => {
    const held = gate();
    model.enqueue([text('Hel'), wait(held.passed), text('lo')]);
    const sent = await rest.createThread({ text: 'Hi' });
    const streams = await Promise.all([1, 2, 3, 4].map(() => rest.stream(sent)));
    const seen = await Promise.all(streams.map(async (stream) => [(await stream.next()).value as ReceivedEvent]));
    held.open();
    for (const [index, stream] of streams.entries()) for await (const event of stream) seen[index]?.push(event);
    expect(seen.map(joinTokens)).toEqual(['Hello', 'Hello', 'Hello', 'Hello']);
    expect(seen.map((events) => events.at(-1)?.event)).toEqual(['done', 'done', 'done', 'done']);
    await vi.waitFor(() => expect(answeredBy(service, /\/response\/stream$/)).toEqual([1, 2]), patient);
  });

  it('share the operations of a reserved stream, whichever of them a request reaches', async () => {
    const client = new StreamClient(service.url, token);
    const stream = await client.reserve();
    const open = await client.open({ stream });
    const run = (operationId: string, path: string) =>
      askOnce(`${service.url}/graphql/stream${path}`, {
        method: 'POST',
        headers: { ...authorization(), 'x-graphql-event-stream-token': stream },
        body: { query: '{ me { email } }', extensions: { operationId } },
      });
    const ids = ['one', 'two', 'three', 'four'];
    for (const id of ids) expect(await run(id, '')).toEqual({ status: 202, text: '' });
    const answers = () => open.messages.filter(({ event }) => event === 'next').map(({ id }) => id);
    await vi.waitFor(() => expect(answers().toSorted()).toEqual(ids.toSorted()), patient);
    open.close();
  });

  it('answer a scrape with the metrics of both', async () => {
    const { text: metrics } = await askOnce(`${service.url}/metrics`);
    for (const name of ['skein_running_responses', 'process_resident_memory_bytes', 'process_start_time_seconds']) {
      const processes = [...metrics.matchAll(new RegExp(`^${name}\\{process="(\\d)"\\} \\S+$`, 'gm'))];
      expect(processes.map(([, number]) => number).toSorted()).toEqual(['1', '2']);
    }
    expect(metrics).toMatch(/^skein_processes_replaced_total\{process="1"\} 0$/m);
  });
});

it('a process that is killed is replaced, and its responses are continued, and no others', {
  timeout: 180_000,
}, async () => {
  const held = gate();
  model.respond(() => [text('Hel'), wait(held.passed), text('lo')]);
  const asked = model.requests.length;
  const sent = await Promise.all(Array.from({ length: 6 }, () => rest.createThread({ text: 'Hi' })));
  await vi.waitFor(() => expect(model.requests.length - asked).toBe(6), patient);
  const { text: metrics } = await askOnce(`${service.url}/metrics`);
  const lost = Number(/^skein_running_responses\{process="1"\} (\d+)$/m.exec(metrics)?.[1]);
  const [killed] = startedPids(service);
  process.kill(killed?.pid ?? 0, 'SIGKILL');
  await vi.waitFor(() => expect(startedPids(service).map(({ number }) => number)).toEqual([1, 2, 1]), patient);
  await vi.waitFor(() => expect(model.requests.length - asked).toBeGreaterThanOrEqual(6 + lost), patient);
  held.open();
  const ready = async () => {
    const states = await Promise.all(sent.map(({ threadId }) => rest.get<ThreadBody>(`/threads/${threadId}`)));
    expect(new Set(states.map(({ body }) => body.state))).toEqual(new Set(['ready']));
  };
  await vi.waitFor(ready, patient);
  for (const answer of await Promise.all(sent.map((one) => rest.answer(one)))) {
    expect(answer).toMatchObject([{ contents: [{ type: 'text', text: 'Hello' }] }]);
  }
  expect(model.requests.length - asked).toBe(6 + lost);
  const ended = logOf(service).filter(({ msg }) => msg.startsWith('process 1 ended unexpectedly'));
  expect(ended).toMatchObject([{ process: 0, child: { number: 1, pid: killed?.pid, signal: 'SIGKILL' } }]);
  expect((await askOnce(`${service.url}/metrics`)).text).toMatch(/^skein_processes_replaced_total\{process="1"\} 1$/m);
  expect(livingPids(service)).toHaveLength(2);
});

it('a process that gets SIGTERM alone finishes its responses and is replaced, while the other one serves', {
  timeout: 180_000,
}, async () => {
  const before = startedPids(service);
  const held = gate();
  model.respond(() => [text('Hel'), wait(held.passed), text('lo')]);
  const asked = model.requests.length;
  const sent = await Promise.all(Array.from({ length: 4 }, () => rest.createThread({ text: 'Hi' })));
  await vi.waitFor(() => expect(model.requests.length - asked).toBe(4), patient);
  process.kill(before.find(({ number }) => number === 2)?.pid ?? 0, 'SIGTERM');
  const isStopping = ({ msg, process: number }: LogLine) => number === 2 && msg.startsWith('stopping');
  await vi.waitFor(() => expect(logOf(service).filter(isStopping)).toHaveLength(1), patient);
  expect((await askOnce(`${service.url}/readyz`)).status).toBe(200);
  held.open();
  await vi.waitFor(() => expect(startedPids(service)).toHaveLength(before.length + 1), patient);
  for (const answer of await Promise.all(sent.map((one) => rest.answer(one)))) {
    expect(answer).toMatchObject([{ contents: [{ type: 'text', text: 'Hello' }] }]);
  }
  expect(model.requests.length - asked).toBe(4);
  const ended = logOf(service).filter(({ msg }) => msg.startsWith('process 2 ended'));
  expect(ended).toMatchObject([{ level: 40, child: { number: 2, status: 0 } }]);
});

describe('the end', () => {
  it('comes with the primary process, when that is killed: the next start takes the place of the database that it leaves', async () => {
    const members = startedPids(service);
    await end(service, 'SIGKILL');
    await vi.waitFor(() => expect(livingPids(service)).toEqual([]), patient);
    expect(members).toHaveLength(4);
    const left = postmaster();
    const identity = identityOf(left);
    service = await start();
    rest = new RestClient({ origin: service.url, prefix: '/api/v1', token });
    expect([identity, identityOf(left)]).toEqual([expect.any(String), undefined]);
    expect(identityOf(postmaster())).toBeDefined();
    expect((await askOnce(`${service.url}/api/v1/me`, { headers: authorization() })).status).toBe(200);
  });

  // That it comes once for all on the first one, with status 0, and stops the database, `npm-start.test.ts` shows.
  it('comes at once for all on a second signal', async () => {
    model.respond(() => [hang()]);
    const asked = model.requests.length;
    await rest.createThread({ text: 'Hi' });
    await vi.waitFor(() => expect(model.requests.length).toBeGreaterThan(asked), patient);
    service.child.kill('SIGTERM');
    await service.says(/stopping; waiting for running responses/);
    expect(await end(service, 'SIGINT')).toBe(1);
    await vi.waitFor(() => expect(livingPids(service)).toEqual([]), patient);
    expect(logOf(service).filter(({ level }) => level >= 50)).toEqual([]);
  });
});
