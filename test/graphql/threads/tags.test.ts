/** Tags of threads: set by the owner, seen by whoever sees the thread, and found without case. They move no thread. */

import fc from 'fast-check';
import { describe, expect, onTestFinished, it as pure, vi } from 'vitest';
import type { Prisma } from '../../../prisma/generated/client/client.js';
import { maximumTagLength, maximumTagsInUse, tagKey, tidyTag } from '../../../src/contract.js';
import type { ThreadBody } from '../../support/clients/rest-types.js';
import { overlapped } from '../../support/database/waiting-statements.js';
import { newcomersTest } from '../../support/fixtures/service.js';
import { type Person, patientStatements } from '../../support/service.js';
import { addThread, addThreads, colleagueOf, newcomer } from '../../support/threads.js';
import { catchUp, presentCursor, toldTo } from '../feeds/threads-feed.js';
import { idsOf, pagesOfTwo, threadPage } from './thread-pages.js';

const it = newcomersTest({ settings: { statementLimits: patientStatements } }).extend('id', ({ service, ada }) =>
  addThread(service, ada),
);

const setQuery = `mutation ($id: ID!, $tags: [String!]!) { outcome: setThreadTags(input: {id: $id, tags: $tags}) {
  __typename ... on Thread { id tags updatedAt activeAt } ... on Error { code message } } }`;
async function set(person: Person, id: string, tags: readonly string[]) {
  return (await person.graphql.data(setQuery, { id, tags: [...tags] })).outcome;
}

/** The ids of the threads with the tag. */
async function tagged(person: Person, tag: string, filter: Record<string, unknown> = {}): Promise<string[]> {
  return idsOf(await threadPage(person.graphql, { filter: { ...filter, tag }, first: 200 }));
}

async function inUse(person: Person): Promise<string[]> {
  return (await person.graphql.data('{ threadTags }', {})).threadTags;
}

const longAgo = new Date('2026-01-02T03:04:05.678Z');

describe('setThreadTags', () => {
  it('replaces the tags, which stay in the order given, each once in its first spelling', async ({ ada, id }) => {
    const first = await set(ada, id, [' Q3  Budget ', 'hiring', 'q3 budget', 'HIRING', 'Straße', 'STRASSE']);
    expect(first).toMatchObject({ __typename: 'Thread', id, tags: ['Q3 Budget', 'hiring', 'Straße'] });
    expect(await set(ada, id, ['zebra', 'apple'])).toMatchObject({ tags: ['zebra', 'apple'] });
    expect(await set(ada, id, [])).toMatchObject({ tags: [] });
  });

  it('moves the thread in no list, and changes nothing that REST shows', async ({ service, ada }) => {
    const id = await addThread(service, ada, { createdAt: longAgo });
    const before = (await ada.rest.get<ThreadBody>(`/threads/${id}`)).body;
    const outcome = await set(ada, id, ['Budget']);
    expect(outcome).toMatchObject({ updatedAt: longAgo.toISOString(), activeAt: longAgo.toISOString() });
    expect((await ada.rest.get<ThreadBody>(`/threads/${id}`)).body).toEqual(before);
  });

  it('tells the feeds of those who see the thread once, and of the same tags again not at all', async ({ service }) => {
    const ada = await newcomer(service);
    const people = [ada, await colleagueOf(service, ada), await newcomer(service)];
    const id = await addThread(service, ada);
    const told = await toldTo(people);
    await set(ada, id, ['Budget']);
    const ids = (await told()).map((events) => events.flatMap(({ thread }) => thread?.id ?? []));
    expect(ids).toEqual([[id], [id], []]);
    const after = await presentCursor(ada.graphql);
    await set(ada, id, ['Budget']);
    expect(await catchUp(ada.graphql, after)).toHaveLength(1);
  });

  it.for([
    ['more than ten', Array.from({ length: 11 }, (_, n) => `t${n}`), 'tags: must have at most 10 tags'],
    ['a blank one', ['a', ' \t '], 'tags.1: must not be empty'],
    ['one of invisible characters', ['\u200b\u2060'], 'tags.0: must not be empty'],
    ['one of 41 characters', ['😀'.repeat(41)], 'tags.0: must be at most 40 characters long'],
    ['a comma', ['a,b'], 'tags.0: must not contain commas, line breaks or other control characters'],
    ['a line break', ['a\nb'], 'tags.0: must not contain commas, line breaks or other control characters'],
    ['U+0000', ['a\u0000b'], 'tags.0: must not contain the character U+0000'],
    ['half a character', ['a\ud800'], 'tags.0: must not contain unpaired surrogates'],
  ] as const)('refuses %s, and leaves the tags as they are', async ([, tags, message], { service, ada, id }) => {
    await set(ada, id, ['kept']);
    expect(await set(ada, id, tags)).toEqual({
      ...{ __typename: 'InvalidInputError', code: 'INVALID_INPUT', message },
    });
    const { tags: stored } = await service.database.thread.findUniqueOrThrow({ where: { id } });
    expect(stored).toEqual(['kept']);
  });

  it.for([
    ['family emoji', '👩‍👩‍👧 family'],
    ['forty emoji', '😀'.repeat(40)],
    ['Arabic', 'الميزانية'],
    ['Hebrew with an override', 'תקציב\u202e x'],
    ['Persian with a joiner', 'می\u200cخواهم'],
    ['forty combining marks', `a${'\u0315\u0300\u0321'.repeat(13)}`],
    ['ligatures that unfold', '\ufdfa'.repeat(40)],
    ['quotes, braces and backslashes', '{"a\\b"}\' NULL'],
  ] as const)('takes %s, and the filter finds it', async ([, tag], { ada, id }) => {
    expect(await set(ada, id, [tag])).toMatchObject({ tags: [tag.normalize('NFC')] });
    expect(await tagged(ada, tag)).toEqual([id]);
    expect(await inUse(ada)).toEqual([tag.normalize('NFC')]);
  });

  // As long as a request may be.
  it.for([
    ['combining marks', '\u0315\u0300'.repeat(50_000)],
    ['spaces', `a${' '.repeat(99_998)}b`],
    ['invisible characters', '\u200b'.repeat(80_000)],
    ['ligatures', '\ufdfa'.repeat(80_000)],
  ] as const)('refuses a tag of 100,000 %s unfolded, and no thread has it', async ([, text], { ada, id }) => {
    const folded = vi.spyOn(String.prototype, 'normalize');
    onTestFinished(() => folded.mockRestore());
    const message = 'tags.0: must be at most 40 characters long';
    expect(await set(ada, id, [text])).toMatchObject({ code: 'INVALID_INPUT', message });
    expect(await tagged(ada, text)).toEqual([]);
    // Folding takes time with the square of the length.
    expect(Math.max(0, ...folded.mock.contexts.map((tag) => String(tag).length))).toBeLessThan(1000);
  });

  it('of two tabs at once leaves the tags of the later one, and no mixture', async ({ ada, database, id }) => {
    const both = await overlapped(
      database,
      { lock: (other) => other.$queryRaw`SELECT 1 FROM thread WHERE id = ${id} FOR UPDATE` },
      ...[['a', 'b'], ['c']].map((tags) => () => set(ada, id, tags)),
    );
    for (const outcome of both) expect(outcome.__typename).toBe('Thread');
    const { tags, tagKeys, organizationId } = await database.thread.findUniqueOrThrow({ where: { id } });
    expect(tags).toEqual(['c']);
    expect(tagKeys).toEqual([`${organizationId} c`]);
  });

  it('and a change of privacy in the same moment are both made', async ({ ada, database, id }) => {
    const lock = (other: Prisma.TransactionClient) =>
      other.$queryRaw`UPDATE thread SET is_private = true WHERE id = ${id}`;
    expect(await overlapped(database, { lock }, () => set(ada, id, ['a']))).toMatchObject([{ tags: ['a'] }]);
    expect(await database.thread.findUniqueOrThrow({ where: { id } })).toMatchObject({ isPrivate: true, tags: ['a'] });
  });
});

describe('the filter `tag`', () => {
  it('finds threads without case and invisible characters, with other filters too', async ({ service, ada, bob }) => {
    const now = Date.now();
    const seeds = ['Plan', 'Notes', 'Filed', 'Bare'].map((name, age) => ({
      ...{ name, createdAt: new Date(now - age * 1000), archived: name === 'Filed' },
    }));
    const [plan = '', notes = '', filed = ''] = await addThreads(service, ada, seeds);
    for (const id of [plan, notes, filed]) await set(ada, id, ['Ünïcode', id === notes ? 'other' : 'more']);
    for (const tag of ['Ünïcode', 'ÜNÏCODE', 'u\u0308ni\u0308code', ' ünïcode ', 'Üni\u0308\u200bcode']) {
      expect(await tagged(ada, tag)).toEqual([plan, notes]);
    }
    expect(await tagged(ada, 'unicode')).toEqual([]);
    expect(await tagged(bob, 'more')).toEqual([plan]);
    expect(await tagged(ada, 'more', { onlyArchived: true })).toEqual([filed]);
    expect(await tagged(bob, 'other', { ownerId: ada.id, q: 'note' })).toEqual([notes]);
    expect(await tagged(bob, 'other', { owned: true })).toEqual([]);
    expect(await tagged(bob, 'other', { q: 'plan' })).toEqual([]);
  });

  it.for(['', ' ', ',', 'a\u0000', '\ud800', 'x'.repeat(41)])('finds nothing for %j', async (tag, { ada, id }) => {
    await set(ada, id, ['x']);
    expect(await tagged(ada, tag)).toEqual([]);
  });

  it('finds neither private threads of others nor those of other organizations', async ({ service, ada }) => {
    const [bob, eve] = [await colleagueOf(service, ada), await newcomer(service)];
    const [shown = '', hidden = ''] = await addThreads(service, ada, [{}, { isPrivate: true }]);
    for (const id of [shown, hidden]) await set(ada, id, ['Budget']);
    expect((await tagged(ada, 'budget')).toSorted()).toEqual([shown, hidden].toSorted());
    expect(await tagged(bob, 'budget')).toEqual([shown]);
    expect(await tagged(eve, 'budget')).toEqual([]);
  });

  it.for(['UPDATED_AT', 'CREATED_AT', 'ACTIVE_AT'] as const)('pages through them by %s', async (field, { service }) => {
    const ada = await newcomer(service);
    const now = Date.now();
    const seeds = Array.from({ length: 7 }, (_, age) => ({ createdAt: new Date(now - age * 1000) }));
    const ids = await addThreads(service, ada, seeds);
    const wanted = ids.filter((_, at) => at !== 3);
    for (const id of wanted) await set(ada, id, ['Budget']);
    const orderBy = { field, direction: 'DESC' } as const;
    const pages = await pagesOfTwo(ada.graphql, { filter: { tag: 'budget' }, orderBy });
    expect(pages.flatMap(idsOf)).toEqual(wanted);
  });
});

describe('threadTags', () => {
  it('are those of the threads that the viewer sees, the most frequent first', async ({ service, ada }) => {
    const [bob, eve] = [await colleagueOf(service, ada), await newcomer(service)];
    const ids = await addThreads(service, ada, [{}, {}, {}, { archived: true }, { isPrivate: true }]);
    const tags = [['budget', 'b'], ['Budget', 'a'], ['Budget'], ['Filed', 'budget'], ['secret', 'a', 'a2']];
    for (const [at, id] of ids.entries()) await set(ada, id, tags[at] ?? []);
    expect(await inUse(bob)).toEqual(['Budget', 'a', 'b', 'Filed']);
    expect(await inUse(ada)).toEqual(['Budget', 'a', 'a2', 'b', 'Filed', 'secret']);
    expect(await inUse(eve)).toEqual([]);
  });

  it(`are at most ${maximumTagsInUse}`, async ({ service, ada }) => {
    const ids = await addThreads(service, ada, Array<object>(11).fill({}));
    for (const [at, id] of ids.entries()) {
      await set(
        ada,
        id,
        Array.from({ length: 10 }, (_, n) => `tag ${at} ${n}`),
      );
    }
    expect(await inUse(ada)).toHaveLength(maximumTagsInUse);
  });
});

it('the tags of a thread go on in a thread that continues it', async ({ ada }) => {
  const { threadId } = await ada.rest.readyThread({ text: 'Hi' });
  await set(ada, threadId, ['Budget']);
  const goOn = `mutation ($id: ID!) { continueThread(input: {threadId: $id, text: "On"}) { ... on PostedMessage { thread { id tags } } } }`;
  const { continueThread } = await ada.graphql.data(goOn, { id: threadId });
  expect(continueThread.thread.tags).toEqual(['Budget']);
  expect((await tagged(ada, 'budget')).toSorted()).toEqual([threadId, continueThread.thread.id].toSorted());
});

describe('two tags', () => {
  pure.each([
    ['Budget', 'bUDGET'],
    ['Q3 Budget', ' q3\u00a0\t budget '],
    ['Straße', 'STRASSE'],
    ['Straße', 'STRAẞE'],
    ['ΟΔΟΣ', 'οδος'],
    ['e\u0301te\u0301', 'ÉTÉ'],
    ['ＡＢＣ①', 'abc1'],
    ['bud\u200bget\u202e', 'budget'],
    ['❤\ufe0f', '❤'],
  ])('%j and %j are the same', (one, other) => {
    expect(tagKey(one)).toBe(tagKey(other));
  });

  pure.each([
    ['resume', 'résumé'],
    ['budget', 'budgets'],
    ['c', 'c#'],
    ['q3', 'q 3'],
  ])('%j and %j are not', (one, other) => {
    expect(tagKey(one)).not.toBe(tagKey(other));
  });

  pure.each([
    ['what is stored of them', tidyTag],
    ['their key', tagKey],
  ])('are the same as %s', (_what, change) => {
    const texts = fc.string({ unit: 'grapheme', maxLength: maximumTagLength });
    fc.assert(
      fc.property(texts, (text) => {
        expect(tagKey(change(text))).toBe(tagKey(text));
      }),
    );
  });
});
