import { describe, expect, it } from 'vitest';
import { Semaphore } from '../../src/async/semaphore.js';

/** A task that runs until it is told to end, and writes down when it began. */
function task(name: string, begun: string[]) {
  let end: (error?: Error) => void = () => undefined;
  const ended = new Promise<string>((resolve, reject) => {
    end = (error) => (error ? reject(error) : resolve(name));
  });
  const run = () => {
    begun.push(name);
    return ended;
  };
  return { run, end: (error?: Error) => end(error) };
}

describe('a turnstile', () => {
  it('lets as many run as it is wide, and the others in their order', async () => {
    const begun: string[] = [];
    const turnstile = new Semaphore(2);
    const tasks = ['a', 'b', 'c', 'd'].map((name) => task(name, begun));
    const passed = tasks.map(({ run }) => turnstile.pass(run));
    expect(begun).toEqual(['a', 'b']);
    tasks[1]?.end();
    expect(await passed[1]).toBe('b');
    expect(begun).toEqual(['a', 'b', 'c']);
    for (const { end } of tasks) end();
    expect(await Promise.all(passed)).toEqual(['a', 'b', 'c', 'd']);
    expect(begun).toEqual(['a', 'b', 'c', 'd']);
  });

  it('is free again after a task that failed, whose error its caller gets', async () => {
    const begun: string[] = [];
    const turnstile = new Semaphore(1);
    const failing = task('failing', begun);
    const next = task('next', begun);
    const failed = turnstile.pass(failing.run);
    const passed = turnstile.pass(next.run);
    failing.end(new Error('refused'));
    await expect(failed).rejects.toThrow('refused');
    next.end();
    expect(await passed).toBe('next');
    expect(await turnstile.pass(() => Promise.resolve('later'))).toBe('later');
  });
});
