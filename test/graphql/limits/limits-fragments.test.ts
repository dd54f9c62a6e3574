/**
 * Fragments count as the fields that stand in them. Components, each with a fragment of its own, are judged by what they
 * ask for together; fragments that stand for more than anybody can visit are refused without visiting it.
 */
import { type DocumentNode, parse, validate, visit } from 'graphql';
import { describe, expect } from 'vitest';
import { documentRule } from '../../../src/graphql/limits/document-limits.js';
import { schema } from '../../../src/graphql/schema.js';
import { serviceTest } from '../../support/fixtures/service.js';
import { chain, endless, query, refusalOf } from './fragments.js';

const it = serviceTest().extend('threadId', { scope: 'file', auto: true }, async ({ ada }) => {
  const { threadId } = await ada.rest.readyThread({ text: 'Hi', name: 'A thread' });
  return threadId;
});

const inChain = (...[links, spread, end]: Parameters<typeof chain>) => query('...F0', chain(links, spread, end));
const fragment = (content: string) => `fragment F0 on Thread { ${content} }`;

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
    const text = inChain(100, (next) => next, 'owner { name }');
    expect(await graphql.data(text, { id: threadId })).toEqual({ thread: { owner: { name: 'Ada' } } });
  });

  it('may have at most twelve levels of fields, even if each is in its own fragment', async ({ graphql, threadId }) => {
    const levels = (count: number) => inChain(count, (next) => `continuedFrom { ${next} }`);
    expect(await graphql.data(levels(10), { id: threadId })).toEqual({ thread: { continuedFrom: null } });
    const refusal = { code: 'LIMIT_EXCEEDED', limit: 'depth', maximum: 12 };
    expect(await refusalOf(graphql, threadId, levels(11))).toEqual(refusal);
  });

  it('may spread one fragment in many places', async ({ graphql, threadId }) => {
    const text = query('...F0 '.repeat(900), fragment('id name'));
    expect(await graphql.data(text, { id: threadId })).toEqual({ thread: { id: threadId, name: 'A thread' } });
  });
});

describe('the content of a fragment counts each time that it is spread', () => {
  // Each field of the chain asks for `continuedFrom` once more: with 900 spreads of it, that is many thousand fields.
  const many = 'id name state isPrivate archived createdAt updatedAt';
  it.for([
    ['fields', 5000, query('...F0 '.repeat(900), fragment(many))],
    ['aliases', 30, query('...F0 '.repeat(31), fragment('a: id'))],
    ['directives', 50, query('...F0 '.repeat(51), fragment('id @include(if: true)'))],
    ['aliases', 30, inChain(5, (next) => `a: continuedFrom { ${next} } b: continuedFrom { ${next} }`)],
  ] as const)('against the limit of %s', async ([limit, maximum, text], { graphql, threadId }) => {
    expect(await refusalOf(graphql, threadId, text)).toEqual({ code: 'LIMIT_EXCEEDED', limit, maximum });
  });

  it('against the limit of list items', async ({ graphql, threadId }) => {
    const pages = fragment('messages(first: 200) { edges { cursor } }');
    expect(await refusalOf(graphql, threadId, query('...F0 '.repeat(20), pages))).toMatchObject({ limit: 'items' });
  });
});

describe('fragments that expand to more than anybody can visit', () => {
  it.for(endless)('are refused after a few looks at each: %s', ([_what, fragments]) => {
    const document = parse(query('...F0', fragments));
    const looks = countLooks(document);
    const errors = validate(schema, document, [documentRule]);
    expect(errors).toMatchObject([{ extensions: { limit: 'fields' } }]);
    expect(looks.count).toBeLessThanOrEqual(4 * looks.sets);
  });
});

/** Counts how often somebody looks into one of the selection sets of a document. Whoever would never end fails. */
function countLooks(document: DocumentNode) {
  const looks = { sets: 0, count: 0 };
  visit(document, {
    SelectionSet(node) {
      const { selections } = node;
      const get = () => {
        looks.count += 1;
        return looks.count < 100_000 ? selections : expect.fail('it looks at the same fragments again and again');
      };
      looks.sets += 1;
      Object.defineProperty(node, 'selections', { get });
    },
  });
  looks.count = 0;
  return looks;
}

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
