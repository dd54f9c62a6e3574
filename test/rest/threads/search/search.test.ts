import { describe, expect } from 'vitest';
import { it } from '../../../support/fixtures/service.js';
import { text } from '../../../support/model/model-script.js';
import type { Person } from '../../../support/service.js';
import { addThread, collectThreads, personWithThreads } from '../../../support/threads.js';
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
