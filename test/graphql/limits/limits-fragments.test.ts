/**
 * Fragments count as the fields that stand in them. Components, each with a fragment of its own, are judged by what they
 * ask for together; fragments that stand for more than anybody can visit are refused without visiting it.
 */
import { describe, expect } from 'vitest';
import type { GraphQLClient, GraphQLFailure } from '../../support/clients/graphql-client.js';
import { serviceTest } from '../../support/fixtures/service.js';
import { leastBusyMs } from '../../support/machine-speed.js';

const it = serviceTest().extend('threadId', { scope: 'file', auto: true }, async ({ ada }) => {
  const { threadId } = await ada.rest.readyThread({ text: 'Hi', name: 'A thread' });
  return threadId;
});

/** `F0` to `F<links>` on `Thread`: each spreads the next one in the given way, and the last one holds `end`. */
function chain(links: number, spread: (next: string) => string, end = 'id'): string {
  const fragments = Array.from({ length: links }, (_, n) => `fragment F${n} on Thread { ${spread(`...F${n + 1}`)} }`);
  return `${fragments.join(' ')} fragment F${links} on Thread { ${end} }`;
}

const query = (selection: string, fragments: string) =>
  `query ($id: ID!) { thread(id: $id) { ${selection} } } ${fragments}`;

async function refusalOf(
  graphql: GraphQLClient,
  threadId: string,
  text: string,
): Promise<GraphQLFailure['extensions']> {
  const { body } = await graphql.run({ query: text, variables: { id: threadId } });
  expect(body.data).toBeUndefined();
  return body.errors?.[0]?.extensions;
}

/** The tree of components of a page, as Relay and Apollo write it: one fragment a component, spread by its parent. */
const components = `
  query Page($id: ID!) { ...Page_query }
  fragment Page_query on Query { me { ...Header_me } thread(id: $id) { ...Conversation_thread } }
  fragment Header_me on Identity { sub ...Avatar_me }
  fragment Avatar_me on Identity { name email }
  fragment Conversation_thread on Thread { id ...Title_thread ...MessageList_thread }
  fragment Title_thread on Thread { name state owner { ...Owner_owner } }
  fragment Owner_owner on ThreadOwner { id name }
  fragment MessageList_thread on Thread { messages(last: 50) { ...MessagePage_messages } }
  fragment MessagePage_messages on MessageConnection { edges { node { ...Row_message } } pageInfo { ...Pager_pageInfo } }
  fragment Pager_pageInfo on PageInfo { hasPreviousPage startCursor }
  fragment Row_message on Message { id role ...Body_message ...Response_message }
  fragment Body_message on Message { contents { __typename ...Block_block } }
  fragment Block_block on ContentBlock { ...Text_block }
  fragment Text_block on TextBlock { text }
  fragment Response_message on Message { response { __typename ...Outcome_response } }
  fragment Outcome_response on Response { ... on ResponseComplete { cursor } }`;

describe('a query that is made of components', () => {
  it('is as deep as its fields, however many fragments lie between them', async ({ graphql, threadId }) => {
    const { thread } = await graphql.data(components, { id: threadId });
    expect(thread.messages.edges).toHaveLength(2);
  });

  it('may have a hundred fragments in a chain', async ({ graphql, threadId }) => {
    const text = query(
      '...F0',
      chain(100, (next) => next, 'owner { name }'),
    );
    expect(await graphql.data(text, { id: threadId })).toEqual({ thread: { owner: { name: 'Ada' } } });
  });

  it('may have at most twelve levels of fields, even if each is in its own fragment', async ({ graphql, threadId }) => {
    const levels = (count: number) =>
      query(
        '...F0',
        chain(count, (next) => `continuedFrom { ${next} }`),
      );
    expect(await graphql.data(levels(10), { id: threadId })).toEqual({ thread: { continuedFrom: null } });
    expect(await refusalOf(graphql, threadId, levels(11))).toEqual({
      code: 'LIMIT_EXCEEDED',
      limit: 'depth',
      maximum: 12,
    });
  });

  it('may spread one fragment in many places', async ({ graphql, threadId }) => {
    const text = query(
      `${'...F0 '.repeat(900)}`,
      chain(0, (next) => next, 'id name'),
    );
    expect(await graphql.data(text, { id: threadId })).toEqual({ thread: { id: threadId, name: 'A thread' } });
  });
});

describe('the content of a fragment counts each time that it is spread', () => {
  // Each field of the chain asks for `continuedFrom` once more: with 900 spreads of it, that is many thousand fields.
  const many = 'id name state isPrivate archived createdAt updatedAt';
  it.for([
    [
      'fields',
      5000,
      query(
        '...F0 '.repeat(900),
        chain(0, (next) => next, many),
      ),
    ],
    [
      'aliases',
      30,
      query(
        '...F0 '.repeat(31),
        chain(0, (next) => next, 'a: id'),
      ),
    ],
    [
      'directives',
      50,
      query(
        '...F0 '.repeat(51),
        chain(0, (next) => next, 'id @include(if: true)'),
      ),
    ],
    [
      'aliases',
      30,
      query(
        '...F0',
        chain(5, (next) => `a: continuedFrom { ${next} } b: continuedFrom { ${next} }`),
      ),
    ],
  ] as const)('against the limit of %s', async ([limit, maximum, text], { graphql, threadId }) => {
    expect(await refusalOf(graphql, threadId, text)).toEqual({ code: 'LIMIT_EXCEEDED', limit, maximum });
  });

  it('against the limit of list items', async ({ graphql, threadId }) => {
    const pages = chain(0, (next) => next, 'messages(first: 200) { edges { cursor } }');
    expect(await refusalOf(graphql, threadId, query('...F0 '.repeat(20), pages))).toMatchObject({ limit: 'items' });
  });
});

describe('fragments that expand to more than anybody can visit are refused quickly', () => {
  it.for([
    ['a chain that doubles at each link', chain(60, (next) => `${next} ${next}`)],
    ['one whose links are eight times the next', chain(40, (next) => `${next} `.repeat(8))],
    ['one that doubles in inline fragments', chain(60, (next) => `... { ${next} } ... on Thread { ${next} }`)],
    ['one that doubles in fields', chain(9, (next) => `continuedFrom { ${`${next} `.repeat(20)} }`)],
  ] as const)('%s', async ([_what, fragments], { graphql, threadId }) => {
    const refuse = () => refusalOf(graphql, threadId, query('...F0', fragments));
    const { result, ms } = await leastBusyMs(refuse, { belowMs: 1000, tries: 3 });
    expect(ms).toBeLessThan(1000);
    expect(result).toEqual({ code: 'LIMIT_EXCEEDED', limit: 'fields', maximum: 5000 });
  });

  it('and so are circular fragments, by the rules of GraphQL', async ({ graphql, threadId }) => {
    const circle = `${chain(3, (next) => `${next} ${next}`, '...F0')}`;
    expect(await refusalOf(graphql, threadId, query('...F0', circle))).toMatchObject({
      code: 'GRAPHQL_VALIDATION_FAILED',
    });
  });
});

describe('the alias "__typename"', () => {
  it('is for the field of that name alone: elsewhere it would not be counted', async ({ graphql, threadId }) => {
    const twice = chain(10, (next) => `__typename: continuedFrom { ${next} } continuedFrom { ${next} }`);
    expect(await refusalOf(graphql, threadId, query('...F0', twice))).toMatchObject({
      code: 'GRAPHQL_VALIDATION_FAILED',
    });
    const text = query('__typename kind: __typename __isNode: __typename', '');
    expect(await graphql.data(text, { id: threadId })).toEqual({
      thread: { __typename: 'Thread', kind: 'Thread', __isNode: 'Thread' },
    });
  });
});
