import fc from 'fast-check';
import { describe, expect } from 'vitest';
import { anyCharacters } from '../../../support/any-characters.js';
import { propertyRuns } from '../../../support/case-counts.js';
import { it } from '../../../support/fixtures/service.js';
import { text } from '../../../support/model/model-script.js';
import { collectThreads, newcomer, personWithThreads } from '../../../support/threads.js';

/** Searches that have failed. */
const examples: [string][] = ['-1e51e5', '- 1e51e5', 'a -(1e51e5)', '--foo€bar', '- foo→bar', 'x --foo、bar'].map(
  (q) => [q],
);

describe('GET /threads › q › any text', () => {
  const pieces = [
    '"',
    '-',
    ' ',
    ' or ',
    'a',
    'B',
    '(',
    ')',
    '|',
    '&',
    '!',
    ':*',
    '<->',
    '\\',
    "'",
    '%',
    '_',
    '@',
    '.',
    '1e5',
  ];
  const operators = fc.string({ unit: fc.constantFrom(...pieces, '東', 'é', '\u0301', '\u00ad', '🎉'), maxLength: 40 });
  const anything = anyCharacters({ maxLength: 60 });

  it('returns 200, or 400 if it cannot be stored', async ({ service }) => {
    const { rest } = await personWithThreads(service, ['a b', 'wine']);
    await fc.assert(
      fc.asyncProperty(fc.oneof(operators, anything), async (q) => {
        const { status } = await rest.get(`/threads?limit=1&q=${encodeURIComponent(q)}`);
        expect(status).toBe(q.includes('\u0000') ? 400 : 200);
      }),
      { numRuns: propertyRuns(300), examples },
    );
  }, 180_000);

  it('finds a thread by its whole name, whatever its words are', async ({ database }) => {
    const name = anyCharacters({ maxLength: 200 }).map((value) => value.replaceAll(/[\u0000"-]|\bor\b/gi, ' '));
    await fc.assert(
      fc.asyncProperty(name, async (value) => {
        const [row] = await database.$queryRaw<{ isFound: boolean | null }[]>`
          SELECT search_vector(${value}) @@ search_query(${value}) AS "isFound"`;
        expect(row?.isFound).not.toBe(false);
      }),
      { numRuns: propertyRuns(200) },
    );
  }, 180_000);
});

describe('GET /threads › q › long texts', () => {
  it('stores an answer of 1 MiB of combining marks, and its thread is ready again', async ({ service }) => {
    const { rest } = await newcomer(service);
    // A mark has two bytes. The marks of each second run belong before all of the first, which is what costs most.
    const runs = Array.from({ length: 10 }, (_, i) => (i % 2 === 0 ? '\u0301' : '\u0316').repeat(50_000));
    service.model.enqueue([text('beginning a'), ...runs.map(text), text('\u0301'.repeat(24_000))]);
    const sent = await rest.createThread({ text: 'Say a lot', name: 'Marks' });
    const stored = await rest.answer(sent);
    expect(Buffer.byteLength(JSON.stringify(stored))).toBeGreaterThan(1_048_000);
    expect(await collectThreads(rest, { q: 'beginning' })).toMatchObject([{ id: sent.threadId, state: 'ready' }]);
  });

  it.for([
    ['100,000 different words', (i: number) => `${String.fromCodePoint(0x20000 + (i % 40_000))} `],
    ['100,000 Chinese characters', (i: number) => String.fromCodePoint(0x4e00 + (i % 20_000))],
    ['signs that unfold into many', () => '\ufdfa'],
    ['one word without an end', () => 'x'],
    ['letters of four bytes without a space', (i: number) => String.fromCodePoint(0x20000 + (i % 40_000))],
    ['accents on one letter', () => '\u0301'],
  ] as const)('accepts %s', async ([_title, character], { service }) => {
    const { rest } = await newcomer(service);
    const characters = Array.from({ length: 100_000 }, (_, i) => character(i)).join('');
    const { threadId } = await rest.createThread({ text: `beginning ${[...characters].slice(0, 99_990).join('')}` });
    expect((await collectThreads(rest, { q: 'beginning' })).map(({ id }) => id)).toEqual([threadId]);
  });
});
