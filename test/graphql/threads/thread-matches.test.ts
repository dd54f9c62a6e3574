/** Where a search has found each thread of a page: the text around the hit, its parts, and the message that it stands in. */
import fc from 'fast-check';
import { describe, expect, vi } from 'vitest';
import { findMatches } from '../../../src/modules/threads/list/find-matches.js';
import { storeMessages } from '../../rest/messages/stored-messages.js';
import { anyCharacters } from '../../support/any-characters.js';
import { propertyRuns } from '../../support/case-counts.js';
import type { Data } from '../../support/clients/graphql-client.js';
import { holding, waitingStatements } from '../../support/database/waiting-statements.js';
import { serviceTest } from '../../support/fixtures/service.js';
import { type Person, patientStatements } from '../../support/service.js';
import { addThread, addThreads, colleagueOf, newcomer } from '../../support/threads.js';
import { idleWorker } from '../limits/statement-log.js';

/** `matchOf` gives the match of a thread of Ada with these messages, and their ids. */
const it = serviceTest({ settings: { ...idleWorker, statementLimits: patientStatements } })
  .extend('ada', { scope: 'file' }, ({ service }) => newcomer(service))
  .extend('matchOf', { scope: 'file' }, ({ service, ada, viewer }) => {
    return async (q: string, said: readonly string[], name = 'Untold'): Promise<Match & { ids: string[] }> => {
      const threadId = await addThread(service, ada, { name });
      const messages = said.map((text) => ({ contents: [{ type: 'text' as const, text }] }));
      const ids = await storeMessages(service, threadId, messages);
      const found = (await findMatches(service.database, viewer, { q, threadIds: [threadId] })).get(threadId);
      if (!found) throw new Error(`A search for ${q} does not find ${name}, ${said}`);
      const { parts, messageId } = found;
      const snippet = parts.map(({ text }) => text).join('');
      return { snippet, parts, message: messageId === null ? null : { id: messageId }, ids };
    };
  });

const query = `query ($filter: ThreadFilter, $first: Int, $after: String) {
  threads(filter: $filter, first: $first, after: $after) {
    edges { node { id name } match { snippet parts { text isHit } message { id } } } pageInfo { endCursor } } }`;

type Found = Data<typeof query>['threads']['edges'][number];
type Match = NonNullable<Found['match']>;

async function search(person: Person, q: string | null, page: object = {}): Promise<Found[]> {
  const variables = { filter: { q }, ...page };
  return (await person.graphql.data(query, variables)).threads.edges;
}

/** Hits in braces. */
function marked({ parts }: Match): string {
  return parts.map(({ text, isHit }) => (isHit ? `{${text}}` : text)).join('');
}

describe('threads › match › where', () => {
  it.for([[null], [''], ['  ']] as const)('is null where nothing is searched for (%j)', async ([q], { service }) => {
    const person = await newcomer(service);
    await addThread(service, person, { name: 'Rome' });
    expect(await search(person, q)).toMatchObject([{ node: { name: 'Rome' }, match: null }]);
  });

  it('is the whole name if that matches, even if messages do', async ({ service }) => {
    const name = `${'A long way to the ferry '.repeat(10)}harbour`;
    const person = await newcomer(service);
    const threadId = await addThread(service, person, { name });
    await storeMessages(service, threadId, [{ contents: [{ type: 'text', text: 'To the harbour' }] }]);
    const parts = [
      { text: name.slice(0, -'harbour'.length), isHit: false },
      { text: 'harbour', isHit: true },
    ];
    expect(await search(person, 'harbour')).toMatchObject([{ match: { snippet: name, parts, message: null } }]);
  });

  it('is the newest message that matches whole, not one with some of the words', async ({ matchOf }) => {
    const match = await matchOf('ferry harbour', [
      'harbour, ferry 1',
      'ferry to the harbour',
      'ferry',
      'Ferry. Where?',
    ]);
    expect(match).toMatchObject({ message: { id: match.ids[1] } });
    expect(marked(match)).toBe('{ferry} to the {harbour}');
  });

  it('is no message that a summary replaced', async ({ service }) => {
    const person = await newcomer(service);
    const threadId = await addThread(service, person);
    const contents = [{ type: 'text' as const, text: 'ferry' }];
    const [first = ''] = await storeMessages(service, threadId, [{ contents }, { contents, active: false }]);
    expect(await search(person, 'ferry')).toMatchObject([{ match: { message: { id: first } } }]);
  });

  it('shows texts and questions, in one line', async ({ service }) => {
    const person = await newcomer(service);
    const threadId = await addThread(service, person);
    const question = {
      type: 'user_get_choice' as const,
      toolUseId: 'call',
      question: 'Which harbour?',
      choices: ['Ostia'],
    };
    await storeMessages(service, threadId, [{ contents: [{ type: 'text', text: 'A\n\n  ferry:\t' }, question] }]);
    const [found] = await search(person, 'harbour');
    expect(found?.match && marked(found.match)).toBe('A ferry: Which {harbour}?');
  });

  it('belongs to its thread, on each page', async ({ service }) => {
    const person = await newcomer(service);
    const ids = await addThreads(
      service,
      person,
      Array.from({ length: 5 }, (_, n) => ({ createdAt: new Date(1e12 + n) })),
    );
    for (const [n, id] of ids.entries()) {
      await storeMessages(service, id, [{ contents: [{ type: 'text', text: `ferry ${n}` }] }]);
    }
    const found = await search(person, 'ferry', { first: 3 });
    found.push(...(await search(person, 'ferry', { first: 3, after: found.at(-1)?.node.id })));
    expect(found.map(({ node }) => node.id)).toEqual(ids.toReversed());
    expect(found.map(({ match }) => match?.snippet)).toEqual([4, 3, 2, 1, 0].map((n) => `ferry ${n}`));
  });
});

describe('threads › match › parts', () => {
  it.for<[what: string, q: string, text: string, expected: string]>([
    ['every word, in any case', 'wine RED', 'Red is the wine', '{Red} is the {wine}'],
    ['the word that the last one begins', 'gard', 'Gardening. The yard', '{Gardening}. The yard'],
    ['only the last word as a beginning', 'win red', 'win, winter, redder', '{win}, winter, {redder}'],
    ['the words of a phrase', '"red wine"', 'red wine, winery', '{red} {wine}, winery'],
    ['either of two words', 'wine or beer', 'beer and whisky', '{beer} and whisky'],
    ['no word that is negated', 'wine -beer', 'wine and whisky', '{wine} and whisky'],
    ['no phrase that is negated', 'wine -"red beer"', 'wine, beer, red', '{wine}, beer, red'],
    ['an accent that the query lacks', 'cafe', 'Le Café', 'Le {Café}'],
    ['an accent that the text lacks', 'café', 'cafe cafe\u0301', '{cafe} {cafe\u0301}'],
    ['Greek', 'αθηνα', 'στην Αθήνα', 'στην {Αθήνα}'],
    ['Japanese', '東京', '私は東京に住んでいます', '私は{東京}に住んでいます'],
    ['Korean', '서울', '나는 서울에서', '나는 {서울에서}'],
    ['full-width forms and ligatures', 'abc office', 'ＡＢＣ oﬃce', '{ＡＢＣ} {oﬃce}'],
    ['a part of an address', 'example', 'ada@example.com', 'ada@{example}.com'],
    ['words between signs', 'bold', '**bold** `bold_one`', '**{bold}** `{bold}_one`'],
    ['a letter that is typed as two', 'strasse', 'Große Straße, kleine Strasse', 'Große {Straße}, kleine {Strasse}'],
    ['a letter that is typed as another', 'lodz', 'w Łodzi i w Łódź-Bałuty', 'w {Łodzi} i w {Łódź}-Bałuty'],
    ['a ligature that is typed as two letters', 'aether', 'Æther ÆTHERNET', '{Æther} {ÆTHERNET}'],
    ['Arabic with its vowels', 'محمد', 'قال مُحَمَّدٌ هنا', 'قال {مُحَمَّدٌ} هنا'],
    ['Hebrew with its vowels', 'שלום', 'אמר שָׁלוֹם לך', 'אמר {שָׁלוֹם} לך'],
    ['soft hyphens', 'cooperate', 'to co\u00adop\u00ader\u00adate here', 'to {co\u00adop\u00ader\u00adate} here'],
    ['a language with two signs', 'c++', 'C, C++17 and candles', 'C, {C++}17 and candles'],
    ['a language with a sign', 'c#', '用C#写, not C', '用{C#}写, not C'],
    ['a sign that no word has', '.net', 'ASP.NET in a network', 'ASP.{NET} in a network'],
  ] as const)('marks %s', async ([_what, q, text, expected], { matchOf }) => {
    expect(marked(await matchOf(q, [text]))).toBe(expected);
    expect(marked(await matchOf(q, [], text))).toBe(expected);
  });

  it('marks nothing if all words are negated', async ({ matchOf }) => {
    expect(marked(await matchOf('-wine', [], 'beer'))).toBe('beer');
    expect(marked(await matchOf('-wine', ['red beer '.repeat(100)], 'wine'))).toMatch(/^(red beer )+red …$/);
  });

  it('are plain text, whatever they contain', async ({ matchOf }) => {
    const text = `<b>ferry</b> <script>alert("x")</script> & {{x}} \u202eferry '); DROP TABLE thread; --`;
    const match = await matchOf('ferry', [text]);
    expect(match.snippet).toBe(text);
    expect(marked(match)).toBe(text.replaceAll('ferry', '{ferry}'));
  });
});

describe('threads › match › bounds', () => {
  const filler = 'Lorem ipsum dolor sit amet, consectetur adipiscing elit. ';

  it('shows the words around the hit, with … in place of what is left out', async ({ matchOf }) => {
    const match = await matchOf('ferry', [`${filler.repeat(20)}The ferry leaves. ${filler.repeat(20)}`]);
    expect(marked(match)).toBe(
      '…amet, consectetur adipiscing elit. The {ferry} leaves. Lorem ipsum dolor sit amet, consectetur adipiscing elit. Lorem ipsum dolor sit amet, consectetur adipiscing…',
    );
  });

  it.for<[string, string, string, RegExp]>([
    ['at the beginning', 'ferry', `ferry ${filler.repeat(50)}`, /^\{ferry\} Lorem.*…$/],
    ['at the end', 'ferry', `${filler.repeat(50)}ferry`, /^….*elit\. \{ferry\}$/],
    ['behind a longer word', '"ferry"', `${'ferryman '.repeat(100)}${filler.repeat(9)} ferry.`, /^….* \{ferry\}\.$/],
    [
      'where the words stand together',
      'ferry boat',
      `ferry ${filler.repeat(90)}boat ferry ${filler}`,
      /\{boat\} \{ferry\}/,
    ],
    ['where most of the words are', 'ferry boat', `ferry ${filler.repeat(3)}ferry boat`, /\{ferry\} \{boat\}$/],
    ['where the phrase is', '"ferry boat"', `boat ferry ${filler.repeat(9)}ferry boat.`, /\{ferry\} \{boat\}\.$/],
    ['far behind', 'ferry', `${filler.repeat(1740)}ferry`, /^….*\{ferry\}$/],
    ['in a text without spaces', '大阪', `${'東京タワーです、'.repeat(3000)}大阪`, /^….*\{大阪\}$/],
    ['in a word without an end', 'xx', 'x'.repeat(2000), /^x+…$/],
  ] as const)('finds it %s', async ([_where, q, text, expected], { matchOf }) => {
    const match = await matchOf(q, [text]);
    expect(marked(match)).toMatch(expected);
    expect([...match.snippet].length).toBeLessThanOrEqual(162);
  });

  it('has at most thirteen parts', async ({ matchOf }) => {
    const match = await matchOf('a', ['b a '.repeat(1000)]);
    expect(match.parts).toHaveLength(13);
    expect(marked(match)).toMatch(/^(b \{a\} ){6}(b a )+/);
  });
});

describe('threads › match › who sees it', () => {
  it('has nothing of a thread that the caller does not see, even if it is asked for', async ({ service, ada }) => {
    const colleague = await colleagueOf(service, ada);
    const stranger = await newcomer(service);
    const isPrivate = await addThread(service, ada, { name: 'ferry', isPrivate: true });
    const threadIds = [isPrivate, await addThread(service, ada, { name: 'ferry' })];
    for (const id of threadIds) await storeMessages(service, id, [{ contents: [{ type: 'text', text: 'harbour' }] }]);
    for (const q of ['ferry', 'harbour']) {
      const seen = [ada, colleague, stranger].map(async (person) => {
        const asker = await service.viewerOf(person);
        return [...(await findMatches(service.database, asker, { q, threadIds })).keys()].sort();
      });
      expect(await Promise.all(seen)).toEqual([threadIds.toSorted(), threadIds.slice(1), []]);
    }
  });

  it('has no message of a thread that is hidden between the statements of the search', async ({ service, ada }) => {
    const { database } = service;
    const id = await addThread(service, ada, { name: 'Trip' });
    await storeMessages(service, id, [{ contents: [{ type: 'text', text: 'lighthouse' }] }]);
    const { token } = await colleagueOf(service, ada);
    const colleague = service.graphql(token);
    const message = 'message { contents { ... on TextBlock { text } } response { __typename } }';
    const ask = () => colleague.data(`{ threads(filter: {q: "lighthouse"}) { edges { match { ${message} } } } }`);
    const seen = { contents: [{ text: 'lighthouse' }], response: null };
    expect(await ask()).toEqual({ threads: { edges: [{ match: { message: seen } }] } });
    // The last statement alone needs the table of responses.
    const { answer } = await database.$transaction(async (transaction) => {
      await transaction.$executeRaw`LOCK TABLE response IN ACCESS EXCLUSIVE MODE`;
      const pending = ask();
      const waiting = async () => expect(await waitingStatements(database, '"public"."message"')).toBe(1);
      await vi.waitFor(waiting, { timeout: 30_000 });
      await transaction.thread.update({ where: { id }, data: { isPrivate: true } });
      return { answer: pending };
    }, holding);
    expect(await answer).toEqual({ threads: { edges: [{ match: { message: null } }] } });
  });
});

describe('threads › match › any text', () => {
  it('is a part of the text, within its bounds, for any text and any search', async ({ database }) => {
    const word = fc.constantFrom(
      'ferry',
      'Fähre',
      '東京',
      '**',
      '\u0301',
      '🎉',
      '1e5',
      'a-b',
      ' ',
      '\n',
      '"',
      '-',
      ' or ',
      "'",
      '\\',
    );
    const text = fc.oneof(
      fc.array(word, { maxLength: 300 }).map((words) => words.join('')),
      anyCharacters({ maxLength: 400 }).map((value) => value.replaceAll(/\u0000|\p{Surrogate}/gu, ' ')),
    );
    await fc.assert(
      fc.asyncProperty(
        text,
        fc.oneof(fc.constantFrom('fähr', '東', '"ferry" -a', '1e5 or ferry'), text),
        async (value, q) => {
          const [row] = await database.$queryRaw<{ pieces: [string, boolean][] | null }[]>`
          SELECT search_excerpt(${value}, search_query(${q}), 160) AS pieces`;
          const shown = (row?.pieces ?? []).map(([piece]) => piece).join('');
          expect(value).toContain(value === shown ? value : shown.replace(/^…/, '').replace(/…$/, ''));
          expect([...shown].length).toBeLessThanOrEqual(162);
        },
      ),
      { numRuns: propertyRuns(100) },
    );
  }, 180_000);
});
