/** Requests that come in the same moment begin in turns by user, a few milliseconds' worth in each round of the event loop. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { performance } from 'node:perf_hooks';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { inTurns } from '../../src/platform/server/admission.js';

/** A handler that takes longer than a slice by the clock of the test, so that one request begins in each round. */
function slowHandler() {
  let nowMs = 0;
  vi.spyOn(performance, 'now').mockImplementation(() => nowMs);
  const begun: string[] = [];
  const listener = inTurns(
    ({ url = '' }) => {
      begun.push(url);
      nowMs += 2;
    },
    ({ url = '' }) => ({ organizationId: url.startsWith('/eve') ? 2 : 1, userId: url.slice(0, 4) }),
  );
  const receive = (url: string) => listener({ url } as IncomingMessage, {} as ServerResponse);
  return { begun, receive };
}

afterEach(() => {
  vi.restoreAllMocks();
});

describe('requests that come in the same moment', () => {
  it('begin in turns, so that one is not behind a hundred of somebody else', async () => {
    const { begun, receive } = slowHandler();
    for (let n = 0; n < 100; n += 1) receive(`/eve/${n}`);
    receive('/ada/0');
    await vi.waitFor(() => expect(begun).toContain('/ada/0'), { timeout: 20_000 });
    expect(begun.indexOf('/ada/0')).toBeLessThanOrEqual(2);
  });

  it('begin all, each once, and those of one user in their order', async () => {
    const { begun, receive } = slowHandler();
    const urls = Array.from({ length: 20 }, (_, n) => `/eve/${n}`);
    for (const url of urls) receive(url);
    await vi.waitFor(() => expect(begun).toHaveLength(20), { timeout: 20_000 });
    expect(begun).toEqual(urls);
  });

  it('leave the event loop to others between them', async () => {
    const { begun, receive } = slowHandler();
    for (let n = 0; n < 20; n += 1) receive(`/eve/${n}`);
    await new Promise((resolve) => setImmediate(resolve));
    expect(begun.length).toBeLessThan(5);
    await vi.waitFor(() => expect(begun).toHaveLength(20), { timeout: 20_000 });
  });
});

describe('a request that comes alone', () => {
  it('begins at once', () => {
    const { begun, receive } = slowHandler();
    receive('/ada/0');
    expect(begun).toEqual(['/ada/0']);
  });
});
