import { describe, expect, it } from 'vitest';
import { StoredText } from '../../../src/modules/responses/stored-text.js';
import type { ResponseStatus } from '../../../src/modules/responses/viewing/response-event.js';
import { isWellFormed } from '../tokens/token-entries.js';
import { running, ScriptedResponse, settled, watching } from './scripted-response.js';

describe('followResponse', () => {
  it('shows the status at once, then the tokens as they come, then done', async () => {
    const response = new ScriptedResponse();
    const viewer = response.watch();
    await settled();
    expect(viewer.seen).toEqual([{ type: 'status', cursor: '0-0', status: 'queued' }]);
    await settled(() => response.claim());
    await settled(() => response.say('Hello '));
    await settled(() => response.say('you'));
    await settled(() => response.settle('succeeded'));
    expect(viewer.told.slice(1)).toEqual(['status 1-0 running', 'token 1-6 Hello ', 'token 1-9 you', 'done 1-end']);
    expect(viewer.state).toBe('ended');
  });

  it('sends done only when the row has succeeded', async () => {
    const { response, viewer } = await watching('text');
    await settled(() => response.log.end(response.id, 1));
    await settled(() => response.clock.advance(10_000));
    expect(viewer.types).toEqual(['status', 'token']);
    response.settle('succeeded', { silently: true });
    await settled(() => response.log.invalidate(response.id));
    expect(viewer.types).toEqual(['status', 'token', 'done']);
  });

  it('notices the end within the recheck interval without a notification', async () => {
    const { response, viewer } = await watching('text');
    response.settle('succeeded', { silently: true });
    await settled(() => response.clock.advance(1999));
    expect(viewer.state).toBe('open');
    await settled(() => response.clock.advance(1));
    expect(viewer.seen.at(-1)).toEqual({ type: 'done', cursor: '1-end' });
  });

  it('misses no change while the viewer is busy with an event', async () => {
    const response = new ScriptedResponse();
    const { events } = response.follow();
    await events.next();
    response.claim();
    expect((await events.next()).value).toMatchObject({ type: 'status', status: 'running' });
    response.settle('succeeded', { text: 'stored', silently: true });
    response.log.invalidate(response.id);
    expect((await events.next()).value).toMatchObject({ type: 'token', text: 'stored' });
  });

  it('does not load the stored text when the log had all of it, and loads it once otherwise', async () => {
    const response = running('text');
    const live = response.watch();
    await settled();
    expect(response.reads).toEqual({ status: 0, text: 1 });
    await settled(() => response.settle('succeeded'));
    expect(live.text).toBe('text');
    expect(response.reads).toEqual({ status: 1, text: 1 });
  });

  it('ends although the log had more than was stored, which only a defect can cause', async () => {
    const { response, viewer } = await watching('more than was stored');
    response.settle('succeeded', { text: 'more' });
    await settled(() => response.clock.advance(60_000));
    expect(viewer).toMatchObject({ state: 'ended', text: 'more than was stored' });
  });

  it('gives thinking to those who want it, in order, and keeps it out of the cursors of others', async () => {
    const response = running();
    const [withThinking, without] = [response.watch({ thinking: true }), response.watch()];
    response.say('hm', 'thinking');
    response.say('A');
    await settled(() => response.say('so', 'thinking'));
    await settled(() => response.settle('succeeded'));
    expect(withThinking.told.slice(1)).toEqual([
      'thinking 1-0-2 hm',
      'token 1-1-2 A',
      'thinking 1-1-4 so',
      'done 1-end',
    ]);
    expect(without.told.slice(1)).toEqual(['token 1-1 A', 'done 1-end']);
    const resumed = response.watch({ thinking: true, after: '1-1-2' });
    const plain = response.watch({ after: '1-0-2' });
    await settled();
    expect(plain.seen.map(({ cursor }) => cursor)).toEqual(['1-0', '1-1', '1-end']);
    expect(resumed.seen[0]?.cursor).toBe('1-1-2');
    expect(resumed.types).toEqual(['status', 'thinking', 'done']);
  });
});

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

/** A response whose seventh attempt has ended with this text, of which no log is left. */
function finished(text: string, status: ResponseStatus = 'succeeded'): ScriptedResponse {
  const response = new ScriptedResponse();
  response.row = { status, epoch: 7, text, error: null, retry: null };
  return response;
}

describe('followResponse, of a finished response', () => {
  it('replays the stored text in small tokens that never split a character, then done', async () => {
    const text = 'word 漢字 😀 '.repeat(2000);
    const response = finished(text);
    const viewer = response.watch();
    await settled();
    expect(viewer.text).toBe(text);
    expect(viewer.types.length).toBeGreaterThan(10);
    for (const event of viewer.seen) {
      if (event.type !== 'token') continue;
      expect(Buffer.byteLength(event.text)).toBeLessThanOrEqual(4096);
      expect(isWellFormed(event.text)).toBe(true);
    }
    expect(viewer.seen.at(-1)).toEqual({ type: 'done', cursor: '7-end' });
  });

  it.each([
    ['a position', '7-4', 'after that', '7-4'],
    ['the last position before the end', '7-14', '', '7-14'],
    ['no position', null, 'all of the text', '7-0'],
    ['a position of a newer attempt', '8-4', 'all of the text', '7-0'],
    ['the end of a newer attempt', '8-end', 'all of the text', '7-0'],
    ['more text than there is', '7-99', 'all of the text', '7-99'],
  ])('goes on from %s', async (_name, after, expected, firstCursor) => {
    const text = after === '7-4' ? 'and after that' : 'all of the text'.slice(0, after === '7-14' ? 14 : undefined);
    const response = finished(text);
    const viewer = response.watch({ after });
    await settled();
    expect(viewer.text).toBe(expected);
    expect(viewer.seen[0]).toEqual({ type: 'status', cursor: firstCursor, status: 'succeeded' });
    expect(viewer.types.at(-1)).toBe('done');
  });

  it('replays a long text from any position, and reads it in parts', async () => {
    const text = 'word 漢字 😀 '.repeat(20_000);
    for (const from of [0, 70_001, 130_000]) {
      const response = finished(text);
      const viewer = response.watch({ after: `7-${from}` });
      await settled();
      expect(viewer.text).toBe(text.slice(from));
      expect(viewer.types.at(-1)).toBe('done');
      expect(response.reads.text).toBeGreaterThan(1);
      expect(response.reads.text).toBeLessThanOrEqual(2 + Math.ceil((text.length - from) / 65_000));
    }
  });

  it('has part of a long text for a viewer, never all of it', () => {
    const part = new StoredText('9'.repeat(2 ** 20), 99_000);
    const ends = [99_000, 99_000 + 2 ** 16];
    const around = ends.flatMap((end) => [end - 1, end]);
    expect(around.map((position) => part.lacks(position))).toEqual([true, false, false, true]);
    expect(part.next(99_000, 10)).toEqual({ text: '9999999999', upTo: 99_010 });
    expect(part.next(98_999, 10)).toBeUndefined();
  });

  it('moves a position inside a surrogate pair before the pair', async () => {
    const response = finished('a😀b');
    const viewer = response.watch({ after: '7-2' });
    await settled();
    expect(viewer.text).toBe('😀b');
    expect(viewer.seen[1]?.cursor).toBe('7-4');
  });

  it('has no event for a viewer who has the last one', async () => {
    for (const status of ['succeeded', 'failed', 'interrupted'] as const) {
      const response = finished('text', status);
      const viewer = response.watch({ after: '7-end' });
      await settled();
      expect(viewer, status).toMatchObject({ seen: [], state: 'ended' });
    }
  });

  it('starts over from an end position of an attempt that has not ended', async () => {
    const response = running('text');
    const viewer = response.watch({ after: '1-end' });
    await settled();
    expect(viewer.seen.map(({ cursor }) => cursor)).toEqual(['1-0', '1-4']);
  });
});

describe('followResponse, failure', () => {
  it('ends a failed response with its error', async () => {
    const { response, viewer } = await watching('some ');
    await settled(() => response.settle('failed', { text: '' }));
    expect(viewer.told.slice(1)).toEqual(['token 1-5 some ', 'error 1-end model_failed It broke.']);
  });

  it('replays the kept text of a stopped response before its error', async () => {
    const response = running('kept text');
    response.settle('interrupted');
    const viewer = response.watch({ after: '1-5' });
    await settled();
    expect(viewer.text).toBe('text');
    expect(viewer.seen.at(-1)).toMatchObject({ type: 'error', cursor: '1-end', code: 'response_interrupted' });
  });

  it('repeats nothing for a viewer who saw more of a stopped response than was kept', async () => {
    const response = running('seen and more');
    response.settle('interrupted', { text: 'seen' });
    const viewer = response.watch({ after: '1-13' });
    await settled();
    expect(viewer.types).toEqual(['status', 'error']);
    const late = response.watch();
    await settled();
    expect(late.text, 'the same for who comes now and who comes when the log is gone').toBe('seen');
  });
});
