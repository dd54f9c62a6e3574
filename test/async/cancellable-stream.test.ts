import { describe, expect, it, vi } from 'vitest';
import { CancellableStream, onAbort } from '../../src/platform/async/cancellable-stream.js';

const over = { done: true, value: undefined };

/** A stream over a source whose values, end and fault a test sends, and what may end it. */
function open({ isAborted = false } = {}) {
  const asked: { resolve: (result: IteratorResult<number, void>) => void; reject: (reason: Error) => void }[] = [];
  const next = () =>
    new Promise<IteratorResult<number, void>>((resolve, reject) => void asked.push({ resolve, reject }));
  const abort = new AbortController();
  if (isAborted) abort.abort();
  const cancelled = vi.fn();
  const release = vi.fn();
  const stream = new CancellableStream({ next, endings: [onAbort(abort.signal), () => cancelled], release });
  return { stream, asked, abort, release, cancelled };
}

describe('a cancellable stream', () => {
  it.each([
    ['its reader', async ({ stream }: ReturnType<typeof open>) => expect(await stream.return()).toEqual(over)],
    ['an ending', async ({ abort }: ReturnType<typeof open>) => abort.abort()],
  ])('ended by %s settles all that is pending at once, and drops what its source gives later', async (_who, end) => {
    const opened = open();
    const { stream, asked, release, cancelled } = opened;
    const pending = [stream.next(), stream.next()];
    await end(opened);
    expect(await Promise.all(pending)).toEqual([over, over]);
    asked[0]?.resolve({ done: false, value: 1 });
    asked[1]?.reject(new Error('too late'));
    expect(await stream.next()).toEqual(over);
    expect(asked).toHaveLength(2);
    expect([release, cancelled].map(({ mock }) => mock.calls.length)).toEqual([1, 1]);
  });

  it('releases everything once when its source ends', async () => {
    const { stream, asked, release, cancelled, abort } = open();
    const first = stream.next();
    asked[0]?.resolve({ done: false, value: 1 });
    expect(await first).toEqual({ done: false, value: 1 });
    const last = stream.next();
    asked[1]?.resolve({ done: true, value: undefined });
    expect(await last).toEqual(over);
    abort.abort();
    await stream.return();
    expect([release, cancelled].map(({ mock }) => mock.calls.length)).toEqual([1, 1]);
  });

  it('passes on a fault of its source and ends', async () => {
    const { stream, asked, release } = open();
    const pending = stream.next();
    asked[0]?.reject(new Error('away'));
    await expect(pending).rejects.toThrow('away');
    expect(await stream.next()).toEqual(over);
    expect(release).toHaveBeenCalledOnce();
  });

  it('never begins if it was ended before its start', async () => {
    const { stream, asked, release, cancelled } = open({ isAborted: true });
    expect(await stream.next()).toEqual(over);
    expect(asked).toEqual([]);
    expect([release, cancelled].map(({ mock }) => mock.calls.length)).toEqual([1, 1]);
  });
});
