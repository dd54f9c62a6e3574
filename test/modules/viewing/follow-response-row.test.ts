import { describe, expect, it } from 'vitest';
import { running, settled, watching } from './scripted-response.js';

const nobody = { watched: 0, readers: 0, waiting: 0 };

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
