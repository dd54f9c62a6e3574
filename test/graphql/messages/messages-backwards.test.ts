/** The messages of a thread from their end: every page is what Relay's pagination algorithm says, in both directions. */
import fc from 'fast-check';
import { describe, expect } from 'vitest';
import type { InputOf } from '../../../src/graphql/document-types/document-types.js';
import { numbered, type StoredMessage, storeMessages } from '../../rest/messages/stored-messages.js';
import { propertyRuns } from '../../support/case-counts.js';
import type { Data, GraphQLClient } from '../../support/clients/graphql-client.js';
import { it } from '../../support/fixtures/service.js';
import type { Person, TestService } from '../../support/service.js';
import { addThread } from '../../support/threads.js';

const messagesQuery = `query ($id: ID!, $first: Int, $after: String, $last: Int, $before: String, $includeInactive: Boolean) {
  thread(id: $id) {
    messages(first: $first, after: $after, last: $last, before: $before, includeInactive: $includeInactive) {
      edges { cursor node { id role active } }
      pageInfo { hasNextPage hasPreviousPage startCursor endCursor }
    }
  }
}`;

type MessagePage = Data<typeof messagesQuery>['thread']['messages'];

/** A page; throws where there are errors. */
async function messagePage(client: GraphQLClient, variables: InputOf<typeof messagesQuery>): Promise<MessagePage> {
  return (await client.data(messagesQuery, variables)).thread.messages;
}

function idsOf({ edges }: MessagePage): string[] {
  return edges.map(({ node }) => node.id);
}

const page = (graphql: GraphQLClient, id: string, variables: Record<string, unknown>) =>
  messagePage(graphql, { id, ...variables });

/** A thread of `inactive` messages that a summary replaced, and `active` ones behind them. */
async function threadOf(
  service: TestService,
  ada: Person,
  { inactive = 0, active }: { inactive?: number; active: number },
) {
  const id = await addThread(service, ada);
  const replaced = numbered(inactive).map((message): StoredMessage => ({ ...message, active: false }));
  return { id, ids: await storeMessages(service, id, [...replaced, ...numbered(active)]) };
}

describe('messages › last and before', () => {
  it('give the newest active ones, oldest first, and say where more are', async ({ service, ada, graphql }) => {
    const { id, ids: all } = await threadOf(service, ada, { inactive: 2, active: 5 });
    const ids = all.slice(2);
    const newest = await page(graphql, id, { last: 2 });
    expect(idsOf(newest)).toEqual(ids.slice(3));
    const ends = { startCursor: newest.edges[0]?.cursor, endCursor: newest.edges[1]?.cursor };
    expect(newest.pageInfo).toEqual({ hasPreviousPage: true, hasNextPage: false, ...ends });
    const older = await page(graphql, id, { last: 2, before: newest.pageInfo.startCursor });
    expect([idsOf(older), older.pageInfo]).toMatchObject([
      ids.slice(1, 3),
      { hasPreviousPage: true, hasNextPage: true },
    ]);
    const oldest = await page(graphql, id, { last: 2, before: older.pageInfo.startCursor });
    expect([idsOf(oldest), oldest.pageInfo]).toMatchObject([
      ids.slice(0, 1),
      { hasPreviousPage: false, hasNextPage: true },
    ]);
  });

  it('return 50 messages with `before` alone, and at most 200', async ({ service, ada, graphql }) => {
    const { id, ids } = await threadOf(service, ada, { active: 202 });
    expect(idsOf(await page(graphql, id, { before: ids[201] }))).toEqual(ids.slice(151, 201));
    const most = await page(graphql, id, { last: 1000 });
    expect([idsOf(most), most.pageInfo.hasPreviousPage]).toEqual([ids.slice(2), true]);
  });

  it.for([
    [{ first: 2, last: 2 }, 'must not be given together with first'],
    [{ last: 0 }, 'must be at least 1'],
    [{ last: -1 }, 'must be at least 1'],
  ] as const)('refuse %j', async ([sizes, message], { service, ada, graphql }) => {
    const { id } = await threadOf(service, ada, { active: 1 });
    const failure = await graphql.failure({ query: messagesQuery, variables: { id, ...sizes } });
    expect(failure.extensions).toEqual({ code: 'INVALID_INPUT', errors: [{ field: 'last', message }] });
  });

  it.for(['', 'nonsense', 'msg_00000000000000000000000000', 'bTk5OTk5OTk5OTk5'])(
    'refuse %j as a cursor',
    async (before, { service, ada, graphql }) => {
      const { id, ids } = await threadOf(service, ada, { active: 1 });
      for (const variables of [{ before }, { last: 1, before }, { last: 1, before, after: ids[0] }]) {
        const failure = await graphql.failure({ query: messagesQuery, variables: { id, ...variables } });
        expect(failure.extensions).toEqual({ code: 'INVALID_CURSOR' });
      }
    },
  );

  it('refuse the id of a message of another thread', async ({ service, ada, graphql }) => {
    const [{ id }, other] = [await threadOf(service, ada, { active: 1 }), await threadOf(service, ada, { active: 1 })];
    const failure = await graphql.failure({ query: messagesQuery, variables: { id, last: 1, before: other.ids[0] } });
    expect(failure.extensions).toEqual({ code: 'INVALID_CURSOR' });
  });
});

describe('messages, paged backwards', () => {
  it.for([
    { by: 'cursors', endOf: ({ pageInfo }: MessagePage) => pageInfo.startCursor },
    { by: 'ids', endOf: (shown: MessagePage) => idsOf(shown)[0] },
  ])('with $by are all of them once, whatever is added meanwhile', async ({ endOf }, { service, ada, graphql }) => {
    const { id, ids } = await threadOf(service, ada, { active: 5 });
    const backwards: string[] = [];
    for (let last: MessagePage | null = null; !last || last.pageInfo.hasPreviousPage; ) {
      last = await page(graphql, id, { last: 2, before: last && endOf(last) });
      backwards.unshift(...idsOf(last));
      await storeMessages(service, id, numbered(1));
    }
    expect(backwards).toEqual(ids);
  });
});

interface Asked {
  first?: number;
  last?: number;
  after?: string;
  before?: string;
}

/** Relay's algorithm, word for word, on the whole list; `all` are the ids with inactive ones, `listed` those that are shown. */
function relayPage(all: readonly string[], listed: readonly string[], { first, last, after, before }: Asked) {
  const from = after === undefined ? -1 : all.indexOf(after);
  const to = before === undefined ? all.length : all.indexOf(before);
  const between = listed.filter((id) => all.indexOf(id) > from && all.indexOf(id) < to);
  if (last !== undefined) {
    const hasPreviousPage = between.length > last;
    return { ids: between.slice(-last), hasPreviousPage, hasNextPage: before !== undefined };
  }
  const size = first ?? 50;
  return { ids: between.slice(0, size), hasPreviousPage: after !== undefined, hasNextPage: between.length > size };
}

describe('any page of messages', () => {
  it("is that of Relay's algorithm, between cursors and between ids", async ({ service, ada, graphql }) => {
    const { id, ids } = await threadOf(service, ada, { inactive: 3, active: 5 });
    const cursors = new Map(
      (await page(graphql, id, { includeInactive: true })).edges.map((edge) => [edge.node.id, edge.cursor]),
    );
    const size = fc.integer({ min: 1, max: 9 });
    const bound = fc.option(fc.constantFrom(...ids), { nil: undefined });
    const sizes = fc.oneof(fc.record({ first: size }), fc.record({ last: size }));
    const asked = fc.tuple(sizes, fc.record({ after: bound, before: bound }), fc.boolean(), fc.boolean(), fc.boolean());
    await fc.assert(
      fc.asyncProperty(asked, async ([count, { after, before }, afterById, beforeById, includeInactive]) => {
        const given: Asked = { ...count, ...(after && { after }), ...(before && { before }) };
        const written = {
          ...(after && { after: afterById ? after : cursors.get(after) }),
          ...(before && { before: beforeById ? before : cursors.get(before) }),
        };
        const found = await page(graphql, id, { ...count, ...written, includeInactive });
        const expected = relayPage(ids, includeInactive ? ids : ids.slice(3), given);
        const [startCursor, endCursor] = [0, -1].map((at) => cursors.get(expected.ids.at(at) ?? '') ?? null);
        const { ids: shown, ...ways } = expected;
        expect(idsOf(found)).toEqual(shown);
        expect(found.pageInfo).toEqual({ ...ways, startCursor, endCursor });
        for (const { node } of found.edges) expect(node.active).toBe(ids.indexOf(node.id) >= 3);
      }),
      { numRuns: propertyRuns(150) },
    );
  }, 180_000);
});
