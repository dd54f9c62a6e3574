/** A reserved stream by itself: what it takes from its operations, and what ends it. */
import { once } from 'node:events';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { describe, expect, it, vi } from 'vitest';
import { maximums } from '../../../src/graphql/limits/limit-exceeded.js';
import { ReservedStream } from '../../../src/graphql/sse/reserved-stream.js';

const owner = { userId: 'usr_1', credentials: { authorization: undefined, cookie: undefined } };
const reserved = () => new ReservedStream(owner, 60_000);

/** Results of an operation as Yoga sends them. */
const results = async (...data: string[]) => Readable.from(data.map((line) => Buffer.from(`data: ${line}\n\n`)));
const unending = async () => new Readable({ read: () => undefined });

describe('a reserved stream', () => {
  it('gives each result the id of its operation, and keeps the id from being taken for a line break', async () => {
    const stream = reserved();
    stream.run('a\u2028\n', () => results('{"data":null}', ''));
    const received = text(stream.open());
    await vi.waitFor(() => expect(() => stream.run('a\u2028\n', unending)).not.toThrow(), { timeout: 10_000 });
    stream.end();
    const id = '"id":"a\\u2028\\n"';
    expect((await received).replace(':\n\n', '')).toBe(
      `event: next\ndata: {${id},"payload":{"data":null}}\n\nevent: complete\ndata: {${id}}\n\n`,
    );
  });

  it('frees the place of an operation that its client completes, although nothing is read', async () => {
    const stream = reserved();
    for (let n = 0; n < maximums.operations; n += 1) stream.run(`${n}`, () => results('{}'));
    expect(() => stream.run('more', unending)).toThrow(/More than 100 operations/);
    stream.complete('99');
    await vi.waitFor(() => stream.run('more', unending), { timeout: 10_000 });
    stream.end();
  });

  it('ends its operations with itself, and takes no other', async () => {
    const stream = reserved();
    let signal: AbortSignal | undefined;
    stream.run('a', (given) => {
      signal = given;
      return unending();
    });
    expect(signal?.aborted).toBe(false);
    stream.end();
    expect([signal?.aborted, stream.ended.aborted]).toEqual([true, true]);
    expect(() => stream.run('b', unending)).toThrow(/no such stream/);
    expect(() => stream.open()).toThrow(/no such stream/);
  });

  it('breaks with an operation that breaks, so that its client resumes', async () => {
    const stream = reserved();
    stream.run('a', unending);
    stream.run('b', () => Promise.reject(new Error('The operation broke.')));
    const [error] = await once(stream.open(), 'error');
    expect([(error as Error).message, stream.ended.aborted]).toEqual(['The operation broke.', true]);
  });

  it('tells a client who reads that it lives, and keeps nothing for one who does not', async () => {
    vi.useFakeTimers();
    try {
      const [stream, unread] = [reserved(), reserved()];
      const received: string[] = [];
      stream.open().on('data', (chunk: Buffer) => received.push(String(chunk)));
      const kept = unread.open();
      await vi.advanceTimersByTimeAsync(60_000);
      expect(received).toEqual(Array(6).fill(':\n\n'));
      expect(kept.readableLength).toBe(3);
      for (const each of [stream, unread]) each.end();
    } finally {
      vi.useRealTimers();
    }
  });
});
