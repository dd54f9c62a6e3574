import fc from 'fast-check';
import { describe, expect } from 'vitest';
import { anyCharacters } from '../../../support/any-characters.js';
import { propertyRuns } from '../../../support/case-counts.js';
import { it } from '../../../support/fixtures/service.js';
import { text } from '../../../support/model/model-script.js';
import type { Person } from '../../../support/service.js';
import { addThread, collectThreads, newcomer, personWithThreads } from '../../../support/threads.js';
import { storeMessages } from '../../messages/stored-messages.js';

async function find(person: Person, q: string): Promise<(string | null)[]> {
  return (await collectThreads(person.rest, { q })).map(({ name }) => name);
}

describe('GET /threads › q › what it searches', () => {
  it('finds threads by their names, in any case', async ({ service }) => {
    const ada = await personWithThreads(service, ['Trip to Rome', 'Invoices']);
    expect(await find(ada, 'rome')).toEqual(['Trip to Rome']);
    expect(await find(ada, 'INVOICES')).toEqual(['Invoices']);
    expect(await find(ada, 'paris')).toEqual([]);
  });

  it('finds threads by the messages of both sides, as soon as they are stored', async ({ service }) => {
    const ada = await personWithThreads(service, ['Another thread']);
    service.model.enqueue([text('Colosseum')]);
    const sent = await ada.rest.createThread({ text: 'What is worth seeing?', name: 'Trip' });
    expect(await find(ada, 'worth')).toEqual(['Trip']);
    await ada.rest.answer(sent);
    expect(await find(ada, 'colosseum')).toEqual(['Trip']);
    expect(await find(ada, 'nothing')).toEqual([]);
  });

  it('searches text, questions and summaries, but not ids, types or choices', async ({ service }) => {
    const ada = await personWithThreads(service, []);
    const id = await addThread(service, ada, { name: 'Trip' });
    await storeMessages(service, id, [
      { role: 'summary', contents: [{ type: 'text', text: 'They talked about ferries.' }] },
      {
        role: 'assistant',
        contents: [
          { type: 'text', text: 'First part' },
          { type: 'user_get_choice', toolUseId: 'call', question: 'Which harbour?', choices: ['Ostia'] },
          { type: 'image', attachmentId: 'att_photo' },
        ],
      },
    ]);
    for (const q of ['ferries', 'part', 'harbour', 'first harbour']) expect(await find(ada, q), q).toEqual(['Trip']);
    for (const q of ['ostia', 'call', 'user_get_choice', 'photo', 'text']) expect(await find(ada, q), q).toEqual([]);
  });

  it('compares the query with the name and with each message by itself', async ({ service }) => {
    const ada = await personWithThreads(service, []);
    const id = await addThread(service, ada, { name: 'Trip' });
    const said = ['old harbour', 'new lighthouse'].map((text) => ({ contents: [{ type: 'text' as const, text }] }));
    await storeMessages(service, id, said);
    for (const q of ['harbour old', 'harbour -trip', 'trip -harbour']) expect(await find(ada, q), q).toEqual(['Trip']);
    for (const q of ['harbour lighthouse', 'trip harbour']) expect(await find(ada, q), q).toEqual([]);
  });

  it('does not search messages that a summary replaced', async ({ service }) => {
    const ada = await personWithThreads(service, []);
    const id = await addThread(service, ada, { name: 'Trip' });
    const say = (text: string) => [{ type: 'text' as const, text }];
    const [message = ''] = await storeMessages(service, id, [{ contents: say('lighthouse') }]);
    expect(await find(ada, 'lighthouse')).toEqual(['Trip']);
    await service.database.message.update({ where: { id: message }, data: { active: false } });
    expect(await find(ada, 'lighthouse')).toEqual([]);
    await storeMessages(service, id, [{ contents: say('lighthouse'), role: 'assistant', active: false }]);
    expect(await find(ada, 'lighthouse')).toEqual([]);
  });
});

/** The names that a search of this person finds, in the order in which they are given here. */
async function findAmong({ rest }: Person, q: string, names: readonly string[]): Promise<string[]> {
  const found = new Set((await collectThreads(rest, { q })).map(({ name }) => name));
  return names.filter((name) => found.has(name));
}

const drinks = ['red wine', 'white wine', 'wine that is red', 'red winery', 'beer'];
/** With somebody whose threads have these names. */
const withDrinks = it.extend('drinker', { scope: 'file' }, ({ service }) => personWithThreads(service, drinks));

describe('GET /threads › q › syntax', () => {
  withDrinks.for<[string, string, string[]]>([
    ['all words, in any order', 'wine red', ['red wine', 'wine that is red']],
    ['the last word as a prefix', 'win', ['red wine', 'white wine', 'wine that is red', 'red winery']],
    ['only the last word as a prefix', 'win red', []],
    ['a quoted phrase', '"red wine"', ['red wine']],
    ['a quoted word as a whole', '"wine"', ['red wine', 'white wine', 'wine that is red']],
    ['a phrase that is still being typed', '"red wine', ['red wine']],
    ['either of two words', 'white or beer', ['white wine', 'beer']],
    ['OR in capitals', 'white OR beer', ['white wine', 'beer']],
    ['not a word', 'wine -white', ['red wine', 'wine that is red']],
    ['not a phrase', 'wine -"red wine"', ['white wine', 'wine that is red']],
    ['a dash that stands alone as a separator', 'red - wine', ['red wine', 'wine that is red', 'red winery']],
    ['two dashes as a separator', 'red --wine', ['red wine', 'wine that is red', 'red winery']],
    ['words without one', '-wine', ['red winery', 'beer']],
    ['punctuation as a separator', 'red,wine!', ['red wine', 'wine that is red', 'red winery']],
    ['a hyphen inside of a word as a separator', 'red-wine', ['red wine', 'wine that is red', 'red winery']],
  ] as const)('takes %s', async ([_title, q, expected], { drinker }) => {
    expect(await findAmong(drinker, q, drinks)).toEqual(expected);
  });

  withDrinks.for([[''], [' '], ['\t\n']] as const)(
    'lists everything where q is blank (%j)',
    async ([q], { drinker }) => {
      expect(await findAmong(drinker, q, drinks)).toEqual(drinks);
    },
  );

  withDrinks.for([['!'], ['""'], ['-'], ['or'], ['🎉'], ['👩‍👩‍👧🏽'], ['()&|:*<->']] as const)(
    'finds nothing where q has no word (%s)',
    async ([q], { drinker }) => {
      expect(await findAmong(drinker, q, drinks)).toEqual([]);
    },
  );
});

/** What is searched for, names that have it, and others. */
const languages: [string, string, string[], string[]][] = [
  ['an accent that the query lacks', 'cafe', ['café', 'cafe\u0301', 'CAFÉ'], ['cab']],
  ['an accent that the name lacks', 'café', ['cafe', 'Café au lait'], ['caf']],
  ['Vietnamese', 'tieng viet', ['Tiếng Việt'], ['tiếng Anh']],
  ['Greek', 'αθηνα', ['Αθήνα'], ['Πάτρα']],
  ['Cyrillic', 'москв', ['Москва'], ['Киев']],
  ['Japanese', '東京', ['東京タワー', '私は東京に住んでいます'], ['大阪']],
  ['Chinese', '合同', ['审核合同'], ['审核']],
  ['Korean, by its beginning', '서울', ['서울에서'], ['부산']],
  ['Thai', 'ไทย', ['ภาษาไทย'], ['ลาว']],
  ['Arabic', 'مرحبا', ['مرحبا بك'], ['سلام']],
  ['full-width forms', 'ABC', ['ＡＢＣ'], ['ＸＹＺ']],
  ['a ligature', 'office', ['oﬃce'], ['of']],
  ['words next to an emoji', 'principal', ['🎉principal🎉', 'principal 🎉'], ['🎉']],
  ['an e-mail address', 'ada@example.com', ['mail from ada@example.com'], ['ada']],
  ['the name of a file', 'report_2026.pdf', ['see report_2026.pdf'], ['report_2025.pdf']],
  ['a number', '42', ['ticket #42', '$42.50'], ['41']],
];
const named = languages.flatMap(([_title, _q, matching, others]) => [...matching, ...others]);
const withLanguages = it.extend('polyglot', { scope: 'file' }, ({ service }) => personWithThreads(service, named));

describe('GET /threads › q › languages', () => {
  withLanguages.for(languages)('finds %s', async ([_title, q, matching, others], { polyglot }) => {
    expect(await findAmong(polyglot, q, [...matching, ...others])).toEqual(matching);
  });
});

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
