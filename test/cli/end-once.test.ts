import { setImmediate } from 'node:timers/promises';
import { pino } from 'pino';
import { describe, expect, it } from 'vitest';
import { endOnce } from '../../src/cli/end-once.js';
import { ShutdownStack } from '../../src/process/shutdown-stack.js';

/** A service made of these parts, and what became of its process. */
function ending(parts: Record<string, () => Promise<unknown>>, firstRunNotice = Promise.resolve()) {
  const shutdown = new ShutdownStack();
  for (const [name, end] of Object.entries(parts)) shutdown.add(name, end);
  const lines: string[] = [];
  const statuses: number[] = [];
  const logger = pino({ base: null }, { write: (line) => void lines.push(JSON.parse(line).msg) });
  const service = {
    stop: () => shutdown.end(),
    get ending() {
      return shutdown.ending;
    },
  };
  const end = endOnce({
    service,
    firstRunNotice,
    logger,
    shutdownTimeoutMs: 20,
    exit: (status) => void statuses.push(status),
  });
  return { end, lines, statuses };
}

const never = () => new Promise(() => undefined);

describe('the end of the process', () => {
  it('comes once, with the requested status, when every part has ended', async () => {
    const order: string[] = [];
    const { end, lines, statuses } = ending({
      database: async () => order.push('database'),
      server: async () => order.push('server'),
    });
    await Promise.all([end({ graceMs: 1000, status: 0 }), end({ graceMs: 0, status: 1 })]);
    expect({ order, lines, statuses }).toEqual({ order: ['server', 'database'], lines: [], statuses: [0] });
  });

  it('does not wait beyond the grace period for a part that hangs, and names it', async () => {
    const { end, lines, statuses } = ending({ database: async () => undefined, 'the listener': never });
    await end({ graceMs: 10, status: 0 });
    expect(lines).toEqual(['this part did not stop in time, exiting anyway: the listener']);
    expect(statuses).toEqual([1]);
  });

  it.each([
    ['is printed', () => undefined],
    ['fails', () => Promise.reject(new Error('No database.'))],
  ])('waits until the firstRunNotice %s, because it uses the database', async (_, outcome) => {
    const order: string[] = [];
    const parts = { database: async () => order.push('database') };
    const firstRunNotice = setImmediate()
      .then(() => order.push('firstRunNotice'))
      .then(outcome);
    const { end, statuses } = ending(parts, firstRunNotice);
    await end({ graceMs: 1000, status: 0 });
    expect({ order, statuses }).toEqual({ order: ['firstRunNotice', 'database'], statuses: [0] });
  });

  it('has status 1 if a part fails, while the other parts still end', async () => {
    const order: string[] = [];
    const { end, lines, statuses } = ending({
      database: async () => order.push('database'),
      server: () => Promise.reject(new Error('It does not close.')),
    });
    await end({ graceMs: 1000, status: 0 });
    expect(order).toEqual(['database']);
    expect(lines).toEqual(['the service did not stop cleanly']);
    expect(statuses).toEqual([1]);
  });
});
