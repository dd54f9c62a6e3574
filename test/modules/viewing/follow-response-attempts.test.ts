import { describe, expect, it } from 'vitest';
import { running, settled } from './scripted-response.js';

describe('followResponse, a new attempt', () => {
  it('is announced to a viewer of the old one, and starts from the first token', async () => {
    const response = running('old ');
    const viewer = response.watch();
    await settled();
    response.claim();
    response.say('new');
    await settled();
    response.settle('succeeded');
    await settled();
    expect(viewer.seen.slice(1)).toEqual([
      { type: 'token', cursor: '1-4', text: 'old ' },
      { type: 'restarted', cursor: '2-0' },
      { type: 'token', cursor: '2-3', text: 'new' },
      { type: 'done', cursor: '2-end' },
    ]);
  });

  it('is not announced to a viewer who has nothing of the old one', async () => {
    const response = running();
    const viewer = response.watch();
    await settled();
    response.claim();
    response.say('new');
    await settled();
    expect(viewer.types).toEqual(['status', 'token']);
  });

  it('follows the row when the new attempt runs elsewhere and the log still has the old one', async () => {
    const response = running('old ');
    const viewer = response.watch();
    await settled();
    response.claim({ elsewhere: true });
    response.log.invalidate(response.id);
    await settled();
    response.say('zombie', 'text', 1);
    await settled();
    expect(viewer.types).toEqual(['status', 'token', 'restarted']);
    response.say('new');
    response.settle('succeeded');
    response.clock.advance(2000);
    await settled();
    expect(viewer.seen.slice(3)).toEqual([
      { type: 'token', cursor: '2-3', text: 'new' },
      { type: 'done', cursor: '2-end' },
    ]);
  });

  it.each(['1-4', '1-0-4', '1-end'])(
    'is told to a viewer who comes back with %s, whose cursor stays until then',
    async (after) => {
      const response = running('old ');
      response.claim();
      response.say('new');
      const viewer = response.watch({ after, thinking: true });
      await settled();
      expect(viewer.seen).toEqual([
        { type: 'status', cursor: after, status: 'running' },
        { type: 'restarted', cursor: '2-0' },
        { type: 'token', cursor: '2-3', text: 'new' },
      ]);
    },
  );

  it('is not announced if it failed before its first token', async () => {
    const response = running('old ');
    const viewer = response.watch();
    await settled();
    response.claim({ elsewhere: true });
    response.settle('failed');
    response.clock.advance(2000);
    await settled();
    expect(viewer.types).toEqual(['status', 'token', 'error']);
    expect(viewer.seen.at(-1)?.cursor).toBe('2-end');
  });
});

describe('followResponse, another call of the model', () => {
  it('is told once, also to a viewer who comes back, and not once the call has said something', async () => {
    const response = running();
    const viewer = response.watch();
    response.retry(2);
    await settled();
    response.log.invalidate(response.id);
    response.retry(3);
    await settled();
    const late = response.watch({ after: '1-0' });
    await settled();
    response.say('now');
    await settled();
    const told = { type: 'retrying', cursor: '1-0', maxCalls: 9 };
    expect(viewer.seen.slice(1)).toMatchObject([
      { ...told, call: 2 },
      { ...told, call: 3 },
      { type: 'token', text: 'now' },
    ]);
    expect(late.types).toEqual(['status', 'retrying', 'token']);
    for (const thinking of [true, false]) {
      const later = response.watch({ thinking });
      await settled();
      expect(later.types).toEqual(['status', 'token']);
    }
  });

  it('is told to viewers who have text if they have seen the call that failed', async () => {
    const response = running('old ');
    const viewer = response.watch();
    await settled();
    response.retry(2, { wasSeen: true });
    await settled();
    const late = response.watch({ after: '1-4' });
    await settled();
    response.claim();
    await settled();
    expect(viewer.types).toEqual(['status', 'token', 'retrying', 'restarted']);
    expect(late.types).toEqual(['status', 'retrying', 'restarted']);
    response.say('new');
    response.settle('succeeded');
    await settled();
    expect(viewer.types.slice(4)).toEqual(['token', 'done']);
  });
});
