import { describe, expect, it } from 'vitest';
import { running, settled } from './scripted-response.js';

const nobody = { watched: 0, readers: 0, waiting: 0 };
const done = { done: true, value: undefined };

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
