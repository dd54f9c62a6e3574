/**
 * A search finds what people type, whichever of two spellings was written: letters that Unicode does not take apart, marks that
 * nobody types, and signs that are part of a word. What is found is marked as it was written.
 */
import fc from 'fast-check';
import { describe, expect } from 'vitest';
import { propertyRuns } from '../../../support/case-counts.js';
import { serviceTest } from '../../../support/fixtures/service.js';
import type { Person } from '../../../support/service.js';
import { collectThreads, personWithThreads } from '../../../support/threads.js';

/** As typed, and as written. */
const spelled = [
  ...'lodz Łódź, odegard Ødegård, duong đường, strasse Straße, strasse STRAẞE, aether Æther, coeur cœur'.split(', '),
  ...'thorshofn Þórshöfn, sudurnes Suðurnes, istanbul İSTANBUL, ISTANBUL istanbul, isparta Isparta, isik ışık'.split(
    ', ',
  ),
  ...'ISIK ışık, hal Ħal, ngoma Ŋgoma, azerbaycan Azərbaycan, barawo ɓarawo, казак қазақ, гудзик ґудзик'.split(', '),
  ...'онор Өнөр, οδος ΟΔΟΣ, ΟΔΟΣ ὁδός, οδοσ οδος, محمد مُحَمَّدٌ, محمد محـــمد, احمد أحمد, اسلام إسلام'.split(', '),
  ...'القران القرآن, مومن مؤمن, ملايكه ملائكة, مصطفي مصطفى, كتابي کتابی, 2026 ٢٠٢٦, שלום שָׁלוֹם'.split(', '),
  ...'cooperate co\u00adoperate, auflage auf\u200clage, क्ष क्\u200dष, waterfall water\u2060fall, quran Qurʾān'.split(
    ', ',
  ),
  ...'hawaii Hawaiʻi'.split(', '),
].map((pair) => {
  const [typed = '', written = ''] = pair.split(' ');
  return { typed, written };
});

const signs = [
  ...['learn C++', 'learn C#', 'F# and C', 'a candle', 'cats', 'node.js', 'network', 'ASP.NET', 'grade A+'],
  'apples',
];

/** Persons with threads of these names: of the spellings, each with a word of its own, and one besides that is not to be found. */
const it = serviceTest()
  .extend('signed', { scope: 'file' }, ({ service }) => personWithThreads(service, signs))
  .extend('person', { scope: 'file' }, ({ service }) =>
    personWithThreads(
      service,
      spelled.flatMap(({ typed, written }, index) => [
        ...[`w${index}w before ${written} after`, `w${index}w another word`],
        ...[`t${index}t ${typed}`, `t${index}t another word`],
      ]),
    ),
  );

/** Which of the names a search by the person finds. */
async function find({ rest }: Person, q: string, names: readonly string[]): Promise<string[]> {
  const found = new Set((await collectThreads(rest, { q })).map(({ name }) => name));
  return names.filter((name) => found.has(name));
}

describe('search › folding', () => {
  it.for(spelled.map((pair, index) => ({ ...pair, index })))(
    'finds $typed in $written, and the other way round',
    async ({ typed, written, index }, { person }) => {
      const names = [`w${index}w before ${written} after`, `w${index}w another word`];
      expect(await find(person, `w${index}w ${typed}`, names)).toEqual(names.slice(0, 1));
      expect(await find(person, `w${index}w "${typed}"`, names)).toEqual(names.slice(0, 1));
      const others = [`t${index}t ${typed}`, `t${index}t another word`];
      expect(await find(person, `t${index}t ${written}`, others)).toEqual(others.slice(0, 1));
    },
  );

  it('keeps apart what is typed in different ways', async ({ service }) => {
    const names = ['Łódź', 'łódka', 'lot', 'Straße', 'wine in Lodz', 'wine'];
    const person = await personWithThreads(service, names);
    expect(await find(person, '"lodz"', names)).toEqual(['Łódź', 'wine in Lodz']);
    expect(await find(person, '"strase"', names)).toEqual([]);
    expect(await find(person, 'wine -łódź', names)).toEqual(['wine']);
  });
});

describe('search › folding › signs', () => {
  it.for<[string, string[]]>([
    ['c++', ['learn C++']],
    ['C++ learn', ['learn C++']],
    ['Ｃ＋＋', ['learn C++']],
    ['c#', ['learn C#']],
    ['csharp', ['learn C#']],
    ['f#', ['F# and C']],
    ['"c"', ['F# and C']],
    ['learn -c++', ['learn C#']],
    ['c+', ['learn C++']],
    ['a+', ['grade A+']],
    ['.net', ['ASP.NET']],
    ['node.js', ['node.js']],
    ['c', ['learn C++', 'learn C#', 'F# and C', 'a candle', 'cats']],
  ])('finds %s where it is written', async ([q, expected], { signed }) => {
    expect(await find(signed, q, signs)).toEqual(expected);
  });

  it('ends a word where it may end: C++ is found in C++20, C#, and between Chinese characters', async ({ service }) => {
    const cpp = ['C++20', 'use C++, please', '用C++写', 'C++/CLI'];
    const names = [...cpp, 'ABC++', 'C + D', 'a+b', 'b or a', 'a+c'];
    const person = await personWithThreads(service, names);
    expect(await find(person, '"c++"', names)).toEqual(cpp);
    expect(await find(person, 'a+b', names)).toEqual(['a+b', 'b or a']);
  });
});

/** Letters, and what is typed for them in lower case. */
const spellings = new Map(
  [
    'ßss æae øo åa ðd þth đd ħh ıi ĳij łl ŋn œoe ŧt ĸq əe ɛe ɔo ɓb ɗd ƙk ƴy ɣg ƒf ʋv ɨi ʉu ɖd ɩi ǝe',
    'ƀb ƈc ǥg ƶz ɟj ⱡl ⱥa ꝑp ꜳaa ǆdz ﬁfi ẜs ᴀa ỻll ʦts ée ñn çc şs ğg ếe ǖu σσ ςσ άα йи ёе ґг ңн үу أا ىي کك ۷7 aa bb zz',
  ].flatMap((line) => line.split(' ').map((pair): [string, string] => [pair.slice(0, 1), pair.slice(1)])),
);
const untyped = ['', '', '', '\u00ad', '\u200d', '\u200c', '\u0301', '\u064e', '\u05b8', '\u0640', '\u2060', '\ufe0f'];
const letter = fc.record({
  as: fc.constantFrom(...spellings.keys()),
  isCapital: fc.boolean(),
  with: fc.constantFrom(...untyped),
});
const form = fc.constantFrom('NFC', 'NFD');

/** A word as it may be written, and as it is typed. */
const word = fc.tuple(fc.array(letter, { minLength: 1, maxLength: 12 }), form).map(([letters, as]) => ({
  written: letters
    .map((part) => (part.isCapital ? part.as.toUpperCase() : part.as) + part.with)
    .join('')
    .normalize(as),
  typed: letters.map((part) => spellings.get(part.as)).join(''),
}));

describe('search › folding › any word', () => {
  it('finds a word as it is typed, and marks it as it is written, wherever it stands', async ({ database }) => {
    const gap = fc.constantFrom(' ', ', ', '. ', '\n', ' (');
    await fc.assert(
      fc.asyncProperty(word, gap, fc.nat(400), async ({ written, typed }, joint, place) => {
        // None of the letters is typed as x, which would be a hit too.
        const text = `${'Lorem ipsum. '.repeat(place)}x${joint}${written}${joint}x`;
        const [row] = await database.$queryRaw<{ isFound: boolean; pieces: [string, boolean][] }[]>`
          SELECT search_vector(${text}) @@ search_query(${`"${typed}"`}) AS "isFound",
            search_excerpt(${text}, folded_search_query(${`"${typed}"`}), 160) AS pieces`;
        expect(row?.isFound).toBe(true);
        expect(row?.pieces.filter(([, isHit]) => isHit).map(([piece]) => piece)).toEqual([written]);
      }),
      { numRuns: propertyRuns(300) },
    );
  }, 180_000);

  it('finds what is written by what is typed, and what is typed by what is written', async ({ database }) => {
    await fc.assert(
      fc.asyncProperty(word, async ({ written, typed }) => {
        const [row] = await database.$queryRaw<{ queries: string[] }[]>`
          SELECT ARRAY[folded_search_query(${written})::text, folded_search_query(${typed})::text] AS queries`;
        expect(row?.queries[0]).toBe(row?.queries[1]);
      }),
      { numRuns: propertyRuns(300) },
    );
  }, 180_000);
});
