import { describe, expect, it } from 'vitest';
import { running, settled, watching } from './scripted-response.js';

describe('followResponse, a new attempt', () => {
  it('is announced to a viewer of the old one, and starts from the first token', async () => {
    const { response, viewer } = await watching('old ');
    response.claim();
    await settled(() => response.say('new'));
    await settled(() => response.settle('succeeded'));
    expect(viewer.told.slice(1)).toEqual(['token 1-4 old ', 'restarted 2-0', 'token 2-3 new', 'done 2-end']);
  });

  it('is not announced to a viewer who has nothing of the old one', async () => {
    const { response, viewer } = await watching();
    response.claim();
    await settled(() => response.say('new'));
    expect(viewer.types).toEqual(['status', 'token']);
  });

  it.each(['1-4', '1-0-4', '1-end'])(
    'is told to a viewer who comes back with %s, whose cursor stays until then',
    async (after) => {
      const response = running('old ');
      response.claim();
      response.say('new');
      const viewer = response.watch({ after, thinking: true });
      await settled();
      expect(viewer.told).toEqual([`status ${after} running`, 'restarted 2-0', 'token 2-3 new']);
    },
  );

  it('is not announced if it failed before its first token', async () => {
    const { response, viewer } = await watching('old ');
    response.claim({ elsewhere: true });
    response.settle('failed');
    await settled(() => response.clock.advance(2000));
    expect(viewer.types).toEqual(['status', 'token', 'error']);
    expect(viewer.seen.at(-1)?.cursor).toBe('2-end');
  });
});

describe('followResponse, another call of the model', () => {
  it('is told once, also to a viewer who comes back, and not once the call has said something', async () => {
    const response = running();
    const viewer = response.watch();
    await settled(() => response.retry(2));
    response.log.invalidate(response.id);
    await settled(() => response.retry(3));
    const late = response.watch({ after: '1-0' });
    await settled();
    await settled(() => response.say('now'));
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
    const { response, viewer } = await watching('old ');
    await settled(() => response.retry(2, { wasSeen: true }));
    const late = response.watch({ after: '1-4' });
    await settled();
    await settled(() => response.claim());
    expect(viewer.types).toEqual(['status', 'token', 'retrying', 'restarted']);
    expect(late.types).toEqual(['status', 'retrying', 'restarted']);
    response.say('new');
    await settled(() => response.settle('succeeded'));
    expect(viewer.types.slice(4)).toEqual(['token', 'done']);
  });
});
