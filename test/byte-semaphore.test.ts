/** What ten share: nobody is passed over, nobody fails, and who leaves holds nobody up. */
import { describe, expect, it } from 'vitest';
import { ByteSemaphore, type Release } from '../src/byte-semaphore.js';

const never = new AbortController().signal;

/** Asks for so many bytes under a name, and notes the name when they are given. */
function queueAt(semaphore: ByteSemaphore) {
  const admitted: string[] = [];
  const releases = new Map<string, Release>();
  const ask = (name: string, bytes: number, signal = never) =>
    semaphore.acquire(bytes, signal).then((release) => {
      admitted.push(name);
      releases.set(name, release);
    });
  const release = async (name: string) => {
    releases.get(name)?.();
    await new Promise(setImmediate);
  };
  return { admitted, ask, release };
}

describe('a semaphore of 10 bytes', () => {
  it('admits in the order of arrival, small ones too', async () => {
    const { admitted, ask, release } = queueAt(new ByteSemaphore(10));
    await ask('a', 6);
    void ask('b', 6);
    void ask('c', 1);
    await release('nobody');
    expect(admitted).toEqual(['a']);
    await release('a');
    expect(admitted).toEqual(['a', 'b', 'c']);
  });

  it('gives whoever wants more all of it, alone', async () => {
    const { admitted, ask, release } = queueAt(new ByteSemaphore(10));
    await ask('a', 1);
    void ask('large', 1000);
    void ask('b', 1);
    await release('a');
    expect(admitted).toEqual(['a', 'large']);
    await release('large');
    expect(admitted).toEqual(['a', 'large', 'b']);
  });

  it('forgets who leaves the queue, and takes bytes back once', async () => {
    const { admitted, ask, release } = queueAt(new ByteSemaphore(10));
    const leaving = new AbortController();
    await ask('a', 9);
    const left = ask('large', 9, leaving.signal);
    void ask('b', 1);
    void ask('c', 9);
    leaving.abort(new Error('stopped'));
    await expect(left).rejects.toThrow('stopped');
    expect(admitted).toEqual(['a', 'b']);
    await release('b');
    await release('b');
    expect(admitted).toEqual(['a', 'b']);
    await expect(ask('late', 1, AbortSignal.abort(new Error('gone')))).rejects.toThrow('gone');
  });
});
