/** How the program ends: once, in time, with its status; and by errors that nothing in it handles. */
import { EventEmitter } from 'node:events';
import { setImmediate } from 'node:timers/promises';
import { pino } from 'pino';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { endOnSignal } from '../../src/cli/end-on-signal.js';
import { endOnce } from '../../src/cli/end-once.js';
import { ShutdownStack } from '../../src/process/shutdown-stack.js';
import { RestClient } from '../support/clients/rest-client.js';
import type { ThreadBody } from '../support/clients/rest-types.js';
import { createTestDatabase } from '../support/database/database.js';
import { hang, text } from '../support/model/model-script.js';
import { startModelServer } from '../support/model/model-server.js';
import { runSql } from '../support/server.js';
import { type LogLine, logOf } from './group.js';
import { end, serve } from './program.js';

/** A service made of these parts, and what became of its process. */
function ending(parts: Record<string, () => Promise<unknown>>, firstRunNotice = Promise.resolve()) {
  const shutdown = new ShutdownStack();
  for (const [name, end] of Object.entries(parts)) shutdown.add(name, end);
  const lines: string[] = [];
  const statuses: number[] = [];
  const logger = pino({ base: null }, { write: (line) => void lines.push(JSON.parse(line).msg) });
  const service = {
    stop: () => shutdown.end(),
    get ending() {
      return shutdown.ending;
    },
  };
  const end = endOnce({
    service,
    firstRunNotice,
    logger,
    shutdownTimeoutMs: 20,
    exit: (status) => void statuses.push(status),
  });
  return { end, lines, statuses };
}

const never = () => new Promise(() => undefined);

describe('the end of the process', () => {
  it('comes once, with the requested status, when every part has ended', async () => {
    const order: string[] = [];
    const { end, lines, statuses } = ending({
      database: async () => order.push('database'),
      server: async () => order.push('server'),
    });
    await Promise.all([end({ graceMs: 1000, status: 0 }), end({ graceMs: 0, status: 1 })]);
    expect({ order, lines, statuses }).toEqual({ order: ['server', 'database'], lines: [], statuses: [0] });
  });

  it('does not wait beyond the grace period for a part that hangs, and names it', async () => {
    const { end, lines, statuses } = ending({ database: async () => undefined, 'the listener': never });
    await end({ graceMs: 10, status: 0 });
    expect(lines).toEqual(['this part did not stop in time, exiting anyway: the listener']);
    expect(statuses).toEqual([1]);
  });

  it.each([
    ['is printed', () => undefined],
    ['fails', () => Promise.reject(new Error('No database.'))],
  ])('waits until the firstRunNotice %s, because it uses the database', async (_, outcome) => {
    const order: string[] = [];
    const parts = { database: async () => order.push('database') };
    const firstRunNotice = setImmediate()
      .then(() => order.push('firstRunNotice'))
      .then(outcome);
    const { end, statuses } = ending(parts, firstRunNotice);
    await end({ graceMs: 1000, status: 0 });
    expect({ order, statuses }).toEqual({ order: ['firstRunNotice', 'database'], statuses: [0] });
  });

  it('has status 1 if a part fails, while the other parts still end', async () => {
    const order: string[] = [];
    const { end, lines, statuses } = ending({
      database: async () => order.push('database'),
      server: () => Promise.reject(new Error('It does not close.')),
    });
    await end({ graceMs: 1000, status: 0 });
    expect(order).toEqual(['database']);
    expect(lines).toEqual(['the service did not stop cleanly']);
    expect(statuses).toEqual([1]);
  });
});

/** A process that gets these signals, each at its time in milliseconds: what it was told to do. */
function afterSignals(...sent: [signal: string, atMs: number][]) {
  const signals = new EventEmitter();
  const did: string[] = [];
  let nowMs = 0;
  endOnSignal({
    signals,
    logger: pino({ enabled: false }),
    ...{ graceMs: 25_000, drainMs: 5_000 },
    end: async ({ drainMs, graceMs, status }) => {
      did.push(`end within ${graceMs} with ${status}`);
      if (drainMs) did.push(`accept requests for ${drainMs}`);
    },
    exit: (status) => void did.push(`exit ${status}`),
    nowMs: () => nowMs,
  });
  for (const [signal, atMs] of sent) {
    nowMs = atMs;
    signals.emit(signal, signal);
  }
  return did;
}

const ended = 'end within 25000 with 0';
const accepts = 'accept requests for 5000';
const twice = (first: string, second: string, ms: number): [signal: string, atMs: number][] => [
  [first, 1000],
  [second, 1000 + ms],
];

describe('signals', () => {
  it.each<[what: string, sent: [signal: string, atMs: number][], did: string[]]>([
    // Supervisors send this one, and people the next.
    ['SIGTERM lets responses finish, and requests be accepted for a while', [['SIGTERM', 1000]], [ended, accepts]],
    ['SIGINT lets responses finish, and accepts no more', [['SIGINT', 1000]], [ended]],
    ['SIGHUP lets responses finish, and accepts no more', [['SIGHUP', 1000]], [ended]],
    ['a second time end the process', twice('SIGINT', 'SIGINT', 500), [ended, 'exit 1']],
    ['of another kind end it, however soon', twice('SIGTERM', 'SIGINT', 1), [ended, accepts, 'exit 1']],
    ['that npm passes on a moment later are the same', twice('SIGTERM', 'SIGTERM', 4), [ended, accepts]],
    ['do so until half a second later', twice('SIGTERM', 'SIGTERM', 499), [ended, accepts]],
  ])('%s', (_what, sent, did) => {
    expect(afterSignals(...sent)).toEqual(did);
  });
});

/** They come from a module that is loaded before the program, and waits for signals. */
const defects = `
  process.on('SIGUSR2', () => { Promise.reject(new Error('orphan: "what somebody wrote"')); });
  process.on('SIGWINCH', () => { throw new Error('thrown'); });`;

it('a rejection is logged and counted, and the service goes on; an exception ends it with status 1, and its responses are released', {
  timeout: 120_000,
}, async () => {
  await using database = await createTestDatabase();
  const model = await startModelServer();
  onTestFinished(() => model.close());
  model.respond(() => [text('Hel'), hang()]);
  const service = await serve({
    ...{ DATABASE_URL: database.url, AI_MODEL: 'compatible:scripted', AI_BASE_URL: model.url },
    NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(defects)}`,
  });
  onTestFinished(async () => void (await end(service, 'SIGKILL')));
  const [token = ''] = await service.prints(/skn_pat_[0-9A-Za-z]{36}/);
  const rest = new RestClient({ origin: service.url, prefix: '/api/v1', token });
  const { threadId } = await rest.createThread({ text: 'Hi' });
  const state = async () => (await rest.get<ThreadBody>(`/threads/${threadId}`)).body.state;
  await vi.waitFor(async () => expect(await state()).toBe('active'), { timeout: 20_000 });

  service.child.kill('SIGUSR2');
  await service.says(/nothing handled this rejection/);
  const errors = () => logOf(service).filter(({ level }) => level >= 50) as (LogLine & { err?: { stack: string } })[];
  expect(errors()).toMatchObject([
    { level: 50, err: { stack: expect.stringMatching(/^Error: orphan: \[hidden\]\n +at /) } },
  ]);
  const metrics = await (await fetch(`${service.url}/metrics`)).text();
  expect(metrics).toMatch(/^skein_unhandled_rejections_total 1$/m);
  expect(await state()).toBe('active');

  service.child.kill('SIGWINCH');
  expect(await service.ended).toBe(1);
  const responses = 'SELECT lease_until <= clock_timestamp() AS released FROM response';
  expect(await runSql(database.url, responses)).toEqual([{ released: true }]);
  expect(errors().slice(1)).toMatchObject([
    { level: 60, err: { stack: expect.stringMatching(/^Error: thrown\n +at /) } },
  ]);
});
