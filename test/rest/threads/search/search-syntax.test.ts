import { describe, expect } from 'vitest';
import { it } from '../../../support/fixtures/service.js';
import type { TestService } from '../../../support/service.js';
import { listThreads, personWithThreads } from '../../../support/threads.js';

/** The names that a search finds, in the order in which they are given here. */
async function find(service: TestService, q: string, names: readonly string[]): Promise<string[]> {
  const person = await personWithThreads(service, names);
  const found = new Set((await listThreads(person.rest, { q })).data.map(({ name }) => name));
  return names.filter((name) => found.has(name));
}

describe('GET /threads › q › syntax', () => {
  const names = ['red wine', 'white wine', 'wine that is red', 'red winery', 'beer'];

  it.for<[string, string, string[]]>([
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
  ] as const)('takes %s', async ([_title, q, expected], { service }) => {
    expect(await find(service, q, names)).toEqual(expected);
  });

  it.for([[''], [' '], ['\t\n']] as const)('lists everything where q is blank (%j)', async ([q], { service }) => {
    expect(await find(service, q, names)).toEqual(names);
  });

  it.for([['!'], ['""'], ['-'], ['or'], ['🎉'], ['👩‍👩‍👧🏽'], ['()&|:*<->']] as const)(
    'finds nothing where q has no word (%s)',
    async ([q], { service }) => {
      expect(await find(service, q, names)).toEqual([]);
    },
  );
});

describe('GET /threads › q › languages', () => {
  it.for<[string, string, string[], string[]]>([
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
  ] as const)('finds %s', async ([_title, q, matching, others], { service }) => {
    expect(await find(service, q, [...matching, ...others])).toEqual(matching);
  });
});
