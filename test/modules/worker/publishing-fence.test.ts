import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { PublishingFence } from '../../../src/modules/responses/generation/publishing-fence.js';
import { ManualClock } from '../manual-clock.js';
import { modelRuns } from '../model-runs.js';

const safeLeaseMs = 5000;

function fenced() {
  const clock = new ManualClock();
  const fence = new PublishingFence<string>({ clock, safeLeaseMs });
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
    clock.advance(safeLeaseMs + 1);
    fence.say('lost, too');
    fence.drop();
    fence.release();
    expect(seen).toEqual(['again one']);
  });

  it('shows a prefix of the text in any order of events: all while the lease is valid, nothing new otherwise', () => {
    const step = fc.oneof(
      { weight: 4, arbitrary: fc.record({ act: fc.constant('say' as const) }) },
      { weight: 3, arbitrary: fc.record({ act: fc.constant('pass' as const), ms: fc.nat({ max: 2 * safeLeaseMs }) }) },
      {
        weight: 2,
        arbitrary: fc.record({ act: fc.constant('confirm' as const), agoMs: fc.nat({ max: 2 * safeLeaseMs }) }),
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
            trustedUntilMs = Math.max(trustedUntilMs, askedMs + safeLeaseMs);
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
