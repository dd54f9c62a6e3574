/** What a worker may take for granted of its lease: when it publishes, and when it is the only one. */
import fc from 'fast-check';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { PublishingFence } from '../../../src/modules/responses/generation/publishing-fence.js';
import {
  abandonedMs,
  leaseSettingsOf,
  safeLeaseMs,
  watchMs,
} from '../../../src/modules/responses/worker/lease-settings.js';
import { SoleStart } from '../../../src/modules/responses/worker/sole-start.js';
import { ManualClock } from '../manual-clock.js';
import { modelRuns } from '../model-runs.js';
import { lease } from '../protocol/protocol-world.js';

const fenceMs = 5000;

function fenced() {
  const clock = new ManualClock();
  const fence = new PublishingFence<string>({ clock, safeLeaseMs: fenceMs });
  const seen: string[] = [];
  fence.begin((entry) => seen.push(entry));
  return { clock, fence, seen };
}

describe('PublishingFence', () => {
  it('never shows text withheld by a lost attempt', () => {
    const { clock, fence, seen } = fenced();
    fence.say('lost');
    fence.begin((entry) => seen.push(`again ${entry}`));
    fence.confirm(clock.now());
    fence.say('one');
    expect(seen).toEqual(['again one']);
    clock.advance(fenceMs + 1);
    fence.say('lost, too');
    fence.drop();
    fence.release();
    expect(seen).toEqual(['again one']);
  });

  it('shows a prefix of the text in any order of events: all while the lease is valid, nothing new otherwise', () => {
    const step = fc.oneof(
      { weight: 4, arbitrary: fc.record({ act: fc.constant('say' as const) }) },
      { weight: 3, arbitrary: fc.record({ act: fc.constant('pass' as const), ms: fc.nat({ max: 2 * fenceMs }) }) },
      {
        weight: 2,
        arbitrary: fc.record({ act: fc.constant('confirm' as const), agoMs: fc.nat({ max: 2 * fenceMs }) }),
      },
    );
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
        const { clock, fence, seen } = fenced();
        const said: string[] = [];
        let trustedUntilMs = Number.NEGATIVE_INFINITY;
        for (const one of steps) {
          const before = seen.length;
          if (one.act === 'pass') clock.advance(one.ms);
          else if (one.act === 'confirm') {
            const askedMs = clock.now() - one.agoMs;
            fence.confirm(askedMs);
            trustedUntilMs = Math.max(trustedUntilMs, askedMs + fenceMs);
          } else {
            said.push(`${said.length}`);
            fence.say(`${said.length - 1}`);
          }
          const isSure = clock.now() <= trustedUntilMs;
          expect(seen).toEqual(said.slice(0, isSure && one.act !== 'pass' ? said.length : before));
        }
        fence.release();
        expect(seen).toEqual(said);
      }),
      { numRuns: modelRuns },
    );
  });
});

const times = { ...lease, leaseMs: 6_000 };

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance'] });
  return () => vi.useRealTimers();
});

/** What it says at looks these milliseconds after the first one, where `others` says who else is there then. */
async function looks(atMs: number[], others: (atMs: number) => boolean | 'unknown' = () => false) {
  let nowMs = 0;
  const soleStart = new SoleStart(times, async () => {
    const answer = others(nowMs);
    if (answer === 'unknown') throw new Error('The listener is not connected');
    return answer;
  });
  const said: boolean[] = [];
  for (const lookMs of atMs) {
    vi.advanceTimersByTime(lookMs - nowMs);
    nowMs = lookMs;
    said.push(await soleStart.isSole());
  }
  return said;
}

describe('a worker that lives unseen', () => {
  it('has stopped to publish before another one takes its runs over', () => {
    expect(safeLeaseMs(times)).toBeLessThan(abandonedMs(times));
    expect(abandonedMs(times)).toBeLessThan(times.leaseMs);
  });

  it.each([3, 6, 300])('has renewed a lease of %i s at least once while another one watches', (seconds) => {
    const settings = leaseSettingsOf({ leaseMs: seconds * 1000, deadlineMs: 600_000 });
    expect(settings.heartbeatMs).toBeLessThan(watchMs(settings));
    expect(settings.heartbeatMs).toBeLessThan(safeLeaseMs(settings));
  });
});

describe('a worker that has just started', () => {
  it('is the only one if it saw no other for as long as it watches', async () => {
    expect(await looks([0, 1_000, 2_000, 2_499, 2_500, 3_000, 6_000])).toEqual([
      ...[false, false, false, false],
      ...[true, true, true],
    ]);
  });

  it('is not sure after a single look, however late', async () => {
    expect(await looks([5_000])).toEqual([false]);
  });

  it.each([
    ['is there at the start', (atMs: number) => atMs === 0],
    ['appears while it watches', (atMs: number) => atMs === 2_000],
    ['appears when it was sure', (atMs: number) => atMs === 3_000],
    ['may be there, because nobody can say', (atMs: number) => (atMs === 1_000 ? 'unknown' : false)],
  ])('counts on leases alone from then on if another %s', async (_what, others) => {
    const said = await looks([0, 1_000, 2_000, 3_000, 4_000, 5_000], others);
    const seen = [0, 1_000, 2_000, 3_000, 4_000, 5_000].findIndex((atMs) => others(atMs) !== false);
    expect(said.slice(seen)).toEqual(said.slice(seen).map(() => false));
  });

  it('asks no more when every lease of before has expired', async () => {
    const asked = vi.fn(() => false);
    expect((await looks([0, 2_500, 8_500, 8_600, 20_000], asked)).slice(3)).toEqual([false, false]);
    expect(asked).toHaveBeenCalledTimes(3);
  });
});
