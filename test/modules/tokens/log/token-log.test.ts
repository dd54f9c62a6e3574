import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { TokenEntry } from '../../../../src/modules/tokens/log/attempt-text.js';
import { modelLimitMs, modelRuns } from '../../model-runs.js';
import { isWellFormed, merged, textIn } from '../token-entries.js';
import { createLog, id, readAll, say } from './token-log-reading.js';

describe('token log', () => {
  it('has nothing for a position beyond its text, until the text is that long', () => {
    const { log } = createLog();
    log.open(id, 1);
    say(log, 1, 'abc');
    const reader = log.attach(id);
    expect(readAll(reader, { text: 5 })).toEqual([]);
    say(log, 1, 'defg');
    expect(textIn(readAll(reader, { text: 5 }))).toBe('fg');
  });

  it('gives missing thinking to a reader whose position counts text alone', () => {
    const { log } = createLog();
    log.open(id, 1);
    log.append(id, 1, { kind: 'thinking', text: 'hm' });
    say(log, 1, 'AB');
    expect(readAll(log.attach(id), { text: 1, thinkingToo: true })).toEqual([
      { kind: 'thinking', text: 'hm' },
      { kind: 'text', text: 'B' },
    ]);
  });

  it(
    'adds up to the whole text, for any reader at any time and from any position, in whole characters',
    () => {
      const entry = fc.record({
        kind: fc.constantFrom('text' as const, 'thinking' as const),
        text: fc.string({ unit: fc.constantFrom('a', '漢', '😀', 'long text '), maxLength: 300 }),
      });
      const step = fc.record({ entry, reads: fc.array(fc.nat({ max: 2 })), cutAt: fc.nat({ max: 300 }) });
      const sizes = fc.record({ maxBytes: fc.integer({ min: 6, max: 200 }), place: fc.nat() });
      fc.assert(
        fc.property(fc.array(step, { maxLength: 60 }), sizes, (steps, { maxBytes, place }) => {
          const { log } = createLog();
          log.open(id, 1);
          const readers = Array.from({ length: 3 }, () => ({ reader: log.attach(id), got: [] as TokenEntry[] }));
          const advance = ({ reader, got }: (typeof readers)[number]) => {
            const units = (kind: string) =>
              got.reduce((sum, one) => sum + (one.kind === kind ? one.text.length : 0), 0);
            const position = { text: units('text'), thinking: units('thinking') };
            got.push(...readAll(reader, { ...position, thinkingToo: true, maxBytes }));
          };
          for (const { entry: said, reads, cutAt } of steps) {
            log.append(id, 1, { kind: said.kind, text: said.text.slice(0, cutAt) });
            for (const index of reads) advance(readers[index] ?? expect.fail('no such reader'));
            log.append(id, 1, { kind: said.kind, text: said.text.slice(cutAt) });
            for (const index of reads) advance(readers[index] ?? expect.fail('no such reader'));
          }
          const said = merged(steps.map(({ entry: one }) => one));
          for (const reader of readers) {
            advance(reader);
            expect(merged(reader.got)).toEqual(said);
            expect(reader.got.every(({ text }) => isWellFormed(text) && Buffer.byteLength(text) <= maxBytes)).toBe(
              true,
            );
          }
          const whole = textIn(said);
          expect(textIn(readAll(log.attach(id), { maxBytes }))).toBe(whole);
          const atOnce = readAll(log.attach(id), { maxBytes: 1_000_000 });
          expect(atOnce, 'no thinking, and nothing in its place').toEqual(merged([{ kind: 'text', text: whole }]));
          const text = place % (whole.length + 1);
          const isInPair = !isWellFormed(whole.slice(text));
          expect(textIn(readAll(log.attach(id), { text, maxBytes }))).toBe(whole.slice(isInPair ? text - 1 : text));
        }),
        { numRuns: modelRuns },
      );
    },
    modelLimitMs,
  );
});
