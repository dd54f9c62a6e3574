import { pino } from 'pino';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { Listener, type ListenerOptions } from '../../src/database/listener.js';
import { newDatabase } from '../support/database/opened-database.js';
import { FaultyProxy } from '../support/network/faulty-proxy.js';
import { runSql } from '../support/server.js';
import { logger } from '../support/silent-logger.js';

const it = test.extend('url', () => newDatabase());

const applicationName = 'skein listener';
const connections = `SELECT pid FROM pg_stat_activity
  WHERE application_name = '${applicationName}' AND datname = current_database()`;
/** Whether a listener has asked who else listens. */
const hasAsked = `${connections} AND query LIKE 'SELECT pg_notify%' AND state = 'idle'`;
const terminate = connections.replace('pid', 'pg_terminate_backend(pid)');

const patient = { timeout: 30_000 };

/** Waits until it has one connection; whoever is cut off may hear of it before the server has forgotten the one before. */
async function hasOneConnection(url: string): Promise<void> {
  await vi.waitFor(async () => expect(await runSql(url, connections)).toHaveLength(1), patient);
}

/** A way to the server that can fall silent as a dropped network path does: open, but nothing comes through. */
async function proxyBefore(url: string) {
  const started = await FaultyProxy.before(url);
  onTestFinished(() => started.proxy.close());
  return started;
}

async function listen(url: string, options: Partial<ListenerOptions> = {}): Promise<Listener> {
  const listener = new Listener({
    url,
    channels: ['work', 'state'],
    applicationName,
    logger,
    firstPauseMs: 10,
    ...options,
  });
  await listener.open();
  onTestFinished(() => listener.close());
  return listener;
}

/** Subscribes and writes down what comes, in order. */
function record(listener: Listener, channel: string): string[] {
  const seen: string[] = [];
  listener.on(channel, {
    onNotification: (payload) => seen.push(payload),
    onReconnect: () => seen.push('(look again)'),
  });
  return seen;
}

describe('the listener', () => {
  it('says once in ten seconds that it cannot pass on what happens here', async () => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const said: string[] = [];
    const logger = pino({}, { write: (line) => said.push(line) });
    const url = 'postgresql://nobody';
    // It is never opened, so nothing can be sent.
    const listener = new Listener({ url, channels: ['work'], applicationName, logger, hasPeers: true });
    listener.notify({ channel: 'work', payload: '1' });
    await vi.advanceTimersByTimeAsync(9_000);
    expect(said).toEqual([expect.stringContaining('"failures":1,')]);
    await vi.advanceTimersByTimeAsync(2_000);
    expect(said).toHaveLength(2);
    await listener.close();
  });

  it('hands each notification to the subscribers of its channel, until they leave', async ({ url }) => {
    const listener = await listen(url);
    const work = record(listener, 'work');
    const left: string[] = [];
    const leave = listener.on('work', {
      onNotification: (payload) => left.push(payload),
      onReconnect: () => left.push('?'),
    });
    const state = record(listener, 'state');
    await runSql(url, "NOTIFY work, 'one'", "NOTIFY state, 'thr_1'");
    await vi.waitFor(() => expect(state).toEqual(['thr_1']), patient);
    leave();
    await runSql(url, "NOTIFY work, 'two'");
    await vi.waitFor(() => expect(work).toEqual(['one', 'two']), patient);
    expect(left).toEqual(['one']);
  });

  it('reconnects when it is cut off, and tells every channel to check again', async ({ url }) => {
    const listener = await listen(url);
    const [work, state] = [record(listener, 'work'), record(listener, 'state')];
    for (const round of [1, 2]) {
      await hasOneConnection(url);
      await runSql(url, terminate);
      await vi.waitFor(() => expect([work.length, state.length]).toEqual([round * 2 - 1, round]), patient);
      await runSql(url, "NOTIFY work, 'after'");
      await vi.waitFor(() => expect(work).toHaveLength(round * 2), patient);
    }
    expect({ work, state }).toEqual({
      work: ['(look again)', 'after', '(look again)', 'after'],
      state: ['(look again)', '(look again)'],
    });
  });

  it('replaces a connection that falls silent without any error', async ({ url }) => {
    const { proxy, url: proxied } = await proxyBefore(url);
    // To connect has the same limit, which a busy machine may exceed.
    const listener = await vi.waitFor(() => listen(proxied, { checkIntervalMs: 30, checkLimitMs: 200 }), patient);
    const work = record(listener, 'work');
    proxy.mute();
    // A new connection that answers late is replaced as well, and what is notified meanwhile is lost.
    await vi.waitFor(async () => {
      await runSql(url, "NOTIFY work, 'after'");
      expect(work).toEqual(expect.arrayContaining(['(look again)', 'after']));
    }, patient);
  });

  it('hands a notification to its own subscribers once, and to those of another process', async ({ url }) => {
    const [one, other] = [await listen(url, { hasPeers: true }), await listen(url, { hasPeers: true })];
    const [here, there] = [record(one, 'work'), record(other, 'work')];
    one.notify({ channel: 'work', payload: 'one' });
    expect(here).toEqual(['one']);
    await vi.waitFor(() => expect(there).toContain('one'), patient);
    await runSql(url, "NOTIFY work, 'end'");
    await vi.waitFor(() => expect(here).toContain('end'), patient);
    expect(here.filter((payload) => payload === 'one')).toHaveLength(1);
  });

  it('misses nothing although it begins where another believes that nobody listens', async ({ url }) => {
    const { proxy, url: proxied } = await proxyBefore(url);
    const alone = await listen(proxied, { hasPeers: true });
    alone.notify({ channel: 'work', payload: 'unheard' });
    await vi.waitFor(async () => expect(await runSql(url, hasAsked)).toHaveLength(1), patient);
    // It does not hear that the newcomer has begun.
    proxy.mute();
    const newcomer = await listen(url, { hasPeers: true });
    const work = record(newcomer, 'work');
    alone.notify({ channel: 'work', payload: 'one' });
    await vi.waitFor(() => expect(work).toEqual(['(look again)']), patient);
  });

  it('knows whether another process may be a worker, and rejects where it cannot know', async ({ url }) => {
    const worker = await listen(url, { firstPauseMs: 60_000 });
    expect(await worker.othersWork()).toBe(false);
    const api = await listen(url, { isWorker: false });
    expect(await worker.othersWork()).toBe(false);
    expect(await worker.othersListen()).toBe(true);
    expect(await api.othersWork()).toBe(true);
    const second = await listen(url);
    expect(await worker.othersWork()).toBe(true);
    await second.close();
    await vi.waitFor(async () => expect(await worker.othersWork()).toBe(false), patient);
    await runSql(url, terminate);
    await vi.waitFor(() => expect(worker.othersWork()).rejects.toThrow(), patient);
  });

  it('sends one statement at a time, as its client demands', async () => {
    const warnings: Error[] = [];
    const note = (warning: Error) => void warnings.push(warning);
    process.on('warning', note);
    onTestFinished(() => void process.off('warning', note));
    const listener = await listen(await newDatabase());
    const asked = Array.from({ length: 5 }, () => [listener.othersWork(), listener.othersListen()]);
    expect(new Set(await Promise.all(asked.flat()))).toEqual(new Set([false]));
    expect(warnings).toEqual([]);
  });

  it('continues after a subscriber has failed', async ({ url }) => {
    const listener = await listen(url);
    const fail = () => {
      throw new Error('a defect');
    };
    listener.on('work', { onNotification: fail, onReconnect: fail });
    const work = record(listener, 'work');
    await runSql(url, 'NOTIFY work');
    await vi.waitFor(() => expect(work).toEqual(['']), patient);
  });

  it('refuses a channel that it does not listen to, and rejects without a database', async () => {
    const listener = await listen(await newDatabase());
    expect(() => record(listener, 'other')).toThrow('not started with the channel "other"');
    await expect(listen('postgresql://nobody@localhost/none?host=/nowhere')).rejects.toThrow('ENOENT');
  });
});
