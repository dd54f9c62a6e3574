/** What a stream reads and when: its row, the access to its thread, and nothing more once its viewer has left. */
import { describe, expect, it } from 'vitest';
import { type FirstRead, followResponse } from '../../../src/modules/responses/viewing/follow-response.js';
import { running, ScriptedResponse, settled, watching } from './scripted-response.js';

const nobody = { watched: 0, readers: 0, waiting: 0 };
const done = { done: true, value: undefined };

/** What was read when the stream was asked for. */
function readFirst({ id, log, row }: ScriptedResponse): FirstRead {
  const reader = log.attach(id);
  if (!row) throw new Error('There is no row.');
  return { reader, revision: reader.revision, row };
}

function follow(response: ScriptedResponse, first: FirstRead) {
  const { id: responseId, log, clock, read } = response;
  return followResponse({ responseId, log, clock, read, first, thinking: false, after: null, endings: [] });
}

describe('followResponse, the row that was read when the stream was asked for', () => {
  it('counts, so that it is not read again', async () => {
    const response = running('text');
    const events = follow(response, readFirst(response));
    expect((await events.next()).value).toMatchObject({ type: 'status', status: 'running' });
    expect((await events.next()).value).toMatchObject({ type: 'token', text: 'text' });
    expect(response.reads).toEqual({ status: 0, text: 0 });
    await events.return?.();
  });

  it('is read again if it has changed since', async () => {
    const response = new ScriptedResponse();
    const first = readFirst(response);
    response.claim();
    const events = follow(response, first);
    expect((await events.next()).value).toMatchObject({ type: 'status', status: 'running' });
    expect(response.reads).toEqual({ status: 0, text: 1 });
    await events.return?.();
  });

  it('is replayed from its text if the response is complete', async () => {
    const response = running('text');
    response.settle('succeeded');
    const seen = [];
    for await (const event of follow(response, readFirst(response))) seen.push(event.type);
    expect(seen).toEqual(['status', 'token', 'done']);
    expect(response.reads).toEqual({ status: 0, text: 0 });
  });

  it('leaves nothing behind where nobody takes an event', async () => {
    const response = running('text');
    const events = follow(response, readFirst(response));
    expect(response.log.stats().readers).toBe(1);
    await events.return?.();
    expect(response.log.stats()).toMatchObject({ watched: 0, readers: 0, waiting: 0 });
  });
});

describe('followResponse, an outcome', () => {
  it('is read once, though the log ends after it', async () => {
    const { response, viewer } = await watching('text');
    response.settle('succeeded', { silently: true });
    response.holdReads();
    await settled(() => response.log.invalidate(response.id));
    response.log.end(response.id, response.epoch);
    await settled(() => response.releaseReads());
    expect(viewer.types).toEqual(['status', 'token', 'done']);
    expect(response.reads).toEqual({ status: 1, text: 1 });
  });

  it('that the worker of this process has stored is known without reading the row', async () => {
    const response = running('text');
    const [early, late] = [response.watch(), response.watch()];
    await settled();
    const { reads } = response;
    const before = { ...reads };
    late.stall();
    await settled(() => response.say(' and more'));
    await settled(() => response.settle('succeeded', { published: true }));
    expect(early.types).toEqual(['status', 'token', 'token', 'done']);
    await settled(() => late.goOn());
    expect(late.types.at(-1)).toBe('done');
    expect(late.text).toBe('text and more');
    expect(reads).toEqual(before);
  });

  it('that is not stored for long is looked for in the row, as when nothing happens', async () => {
    const { response, viewer } = await watching('text');
    response.log.settling(response.id, response.epoch);
    response.row = { status: 'interrupted', epoch: response.epoch, text: 'text', error: null, retry: null };
    await settled(() => response.log.invalidate(response.id));
    expect(viewer.types).toEqual(['status', 'token']);
    await settled(() => response.clock.advance(2000));
    expect(viewer.types).toEqual(['status', 'token', 'error']);
  });
});

describe('followResponse, access to the thread', () => {
  it('is required to see anything', async () => {
    const response = running('text');
    response.row = null;
    const viewer = response.watch();
    await settled();
    expect(viewer).toMatchObject({ state: 'ended', seen: [] });
    expect(response.log.stats()).toMatchObject(nobody);
  });

  it('is rechecked in a steady stream of tokens, and its loss ends the stream without done', async () => {
    const { response, viewer } = await watching('text');
    response.row = null;
    for (let second = 1; second < 60; second += 1) {
      response.clock.advance(1000);
      await settled(() => response.say('.', 'text', 1));
    }
    expect(viewer.state).toBe('open');
    await settled(() => response.clock.advance(1000));
    expect(viewer.state).toBe('ended');
    expect(new Set(viewer.types)).toEqual(new Set(['status', 'token']));
  });

  it('is rechecked at most once per recheck interval while nothing happens', async () => {
    const response = running('text');
    await settled(() => response.watch());
    for (let second = 0; second < 20; second += 1) {
      await settled(() => response.clock.advance(1000));
    }
    expect(response.reads).toEqual({ status: 10, text: 1 });
  });
});

describe('followResponse, a database that is away', () => {
  it('fails a viewer who has just joined', async () => {
    const response = running('text');
    response.failReads = true;
    const viewer = response.watch();
    await settled();
    expect(viewer).toMatchObject({ state: 'threw', error: new Error('the database is away') });
    expect(response.log.stats()).toMatchObject(nobody);
  });

  it('makes a viewer wait, who continues when it is back', async () => {
    const { response, viewer } = await watching('text');
    response.failReads = true;
    response.settle('succeeded');
    for (let second = 0; second < 30; second += 1) {
      await settled(() => response.clock.advance(1000));
    }
    expect(viewer.state).toBe('open');
    response.failReads = false;
    await settled(() => response.clock.advance(2000));
    expect(viewer.types).toEqual(['status', 'token', 'done']);
  });

  it('ends a viewer with its error when it stays away', async () => {
    const { response, viewer } = await watching('text');
    response.failReads = true;
    for (let second = 0; second < 70; second += 1) {
      await settled(() => response.clock.advance(1000));
    }
    expect(viewer).toMatchObject({ state: 'threw', error: new Error('the database is away') });
    expect(response.clock.pendingTimers).toBe(0);
  });
});

describe('followResponse, the end of the process', () => {
  it('ends viewers without done, so that they reconnect elsewhere', async () => {
    const { response, viewer } = await watching('text');
    await settled(() => response.log.close());
    expect(viewer).toMatchObject({ state: 'ended', text: 'text' });
    expect(viewer.types).toEqual(['status', 'token']);
    expect(response.clock.pendingTimers).toBe(0);
  });

  it('refuses new viewers instead of showing them nothing', async () => {
    const response = running('text');
    response.log.close();
    await expect(response.follow().events.next()).rejects.toThrow('closed');
  });
});

describe('followResponse, a viewer who leaves', () => {
  it.each(['return', 'abort'] as const)('is let go at once by %s while it waits for tokens', async (how) => {
    const response = running('text');
    const { events, controller } = response.follow();
    await events.next();
    await events.next();
    const parked = events.next();
    await settled();
    expect(response.log.stats()).toMatchObject({ readers: 1, waiting: 1 });
    if (how === 'abort') controller.abort();
    else expect(await events.return?.()).toEqual(done);
    expect(response.log.stats()).toMatchObject(nobody);
    expect(response.clock.pendingTimers).toBe(0);
    expect(await parked).toEqual(done);
    expect(await events.next()).toEqual(done);
  });

  it.each(['return', 'abort'] as const)('is let go at once by %s while the database is slow', async (how) => {
    const response = running('text');
    response.holdReads();
    const { events, controller } = response.follow();
    const pending = [events.next(), events.next()];
    if (how === 'abort') controller.abort();
    else await events.return?.();
    expect(await Promise.all(pending)).toEqual([done, done]);
    expect(response.log.stats()).toMatchObject(nobody);
    response.failReads = true;
    await settled(() => response.releaseReads());
    expect(response.clock.pendingTimers).toBe(0);
  });

  it('never begins if its client has already left', async () => {
    const response = running('text');
    const controller = new AbortController();
    controller.abort();
    const { events } = response.follow({ controller });
    expect(await events.next()).toEqual(done);
    expect(response.reads).toEqual({ status: 0, text: 0 });
    expect(response.log.stats()).toMatchObject(nobody);
  });

  it('leaves nothing behind, like a viewer who stays to the end', async () => {
    const response = running('text');
    const viewers = Array.from({ length: 200 }, () => response.watch());
    await settled();
    for (let round = 0; round < 20; round += 1) {
      await settled(() => response.clock.advance(2000));
    }
    expect(response.log.stats()).toMatchObject({ readers: 200, waiting: 200 });
    expect(response.clock.pendingTimers).toBe(200);
    for (const viewer of viewers.slice(0, 100)) viewer.controller.abort();
    await settled(() => response.settle('succeeded'));
    expect(response.log.stats()).toMatchObject({ ...nobody, ended: 1 });
    expect(response.clock.pendingTimers, 'the timer that drops the ended log').toBe(1);
  });

  it('may be broken out of a loop, and takes its listener off the signal', async () => {
    const response = running('text');
    const { events, controller } = response.follow();
    const listeners: string[] = [];
    const { signal } = controller;
    signal.removeEventListener = (type: string) => listeners.push(type);
    for await (const event of events) if (event.type === 'token') break;
    expect(listeners).toEqual(['abort']);
    expect(response.log.stats()).toMatchObject(nobody);
  });
});

describe('followResponse, a viewer who stalls', () => {
  it('uses no memory, and gets the rest in few tokens when it reads again', async () => {
    const response = running('first ');
    const { events } = response.follow();
    await events.next();
    await events.next();
    for (let count = 0; count < 5000; count += 1) response.say('word ');
    expect(response.log.stats()).toEqual({ running: 1, ended: 0, bytes: 25_006, watched: 1, readers: 1, waiting: 0 });
    const { reads } = response;
    expect(reads).toEqual({ status: 0, text: 1 });
    expect((await events.next()).value).toMatchObject({
      type: 'token',
      text: 'word '.repeat(5000).slice(0, 16 * 1024),
    });
    expect((await events.next()).value).toMatchObject({ type: 'token', text: 'word '.repeat(5000).slice(16 * 1024) });
    await events.return?.();
  });

  it('gets the rest from the stored text when it comes back long after the end', async () => {
    const response = running('first ');
    const { events } = response.follow();
    await events.next();
    await events.next();
    response.say('second');
    response.settle('succeeded');
    response.clock.advance(600_000);
    expect(response.log.stats()).toMatchObject({ ended: 0, bytes: 0 });
    expect((await events.next()).value).toEqual({ type: 'token', cursor: '1-12', text: 'second' });
    expect((await events.next()).value).toEqual({ type: 'done', cursor: '1-end' });
  });
});
