import { describe, expect, it } from 'vitest';
import { StoredText } from '../../../src/modules/responses/stored-text.js';
import { isWellFormed } from '../tokens/token-entries.js';
import { running, ScriptedResponse, settled, watching } from './scripted-response.js';

describe('followResponse, of a finished response', () => {
  it('replays the stored text in small tokens that never split a character, then done', async () => {
    const response = new ScriptedResponse();
    const text = 'word 漢字 😀 '.repeat(2000);
    response.row = { status: 'succeeded', epoch: 7, text, error: null, retry: null };
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
    const response = new ScriptedResponse();
    const text = after === '7-4' ? 'and after that' : 'all of the text'.slice(0, after === '7-14' ? 14 : undefined);
    response.row = { status: 'succeeded', epoch: 7, text, error: null, retry: null };
    const viewer = response.watch({ after });
    await settled();
    expect(viewer.text).toBe(expected);
    expect(viewer.seen[0]).toEqual({ type: 'status', cursor: firstCursor, status: 'succeeded' });
    expect(viewer.types.at(-1)).toBe('done');
  });

  it('replays a long text from any position, and reads it in parts', async () => {
    const text = 'word 漢字 😀 '.repeat(20_000);
    for (const from of [0, 70_001, 130_000]) {
      const response = new ScriptedResponse();
      response.row = { status: 'succeeded', epoch: 7, text, error: null, retry: null };
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
    const response = new ScriptedResponse();
    response.row = { status: 'succeeded', epoch: 7, text: 'a😀b', error: null, retry: null };
    const viewer = response.watch({ after: '7-2' });
    await settled();
    expect(viewer.text).toBe('😀b');
    expect(viewer.seen[1]?.cursor).toBe('7-4');
  });

  it('has no event for a viewer who has the last one', async () => {
    for (const status of ['succeeded', 'failed', 'interrupted'] as const) {
      const response = new ScriptedResponse();
      response.row = { status, epoch: 7, text: 'text', error: null, retry: null };
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
