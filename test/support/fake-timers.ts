import { vi } from 'vitest';

/**
 * Fakes timers for tests that count them. Those of Node's `fetch` stay real: it keeps connections of earlier files of this process,
 * and sets timers for them at any moment.
 */
export function fakeTimers(): void {
  const { setTimeout: real } = globalThis;
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'Date', 'performance'] });
  const { setTimeout: fake } = globalThis;
  vi.stubGlobal('setTimeout', (...given: Parameters<typeof setTimeout>) => {
    const isOfFetch = new Error().stack?.includes('node:internal/deps/undici');
    return isOfFetch ? real(...given) : fake(...given);
  });
}

/** Ends what `fakeTimers` has begun. */
export function realTimers(): void {
  vi.unstubAllGlobals();
  vi.useRealTimers();
}
