/** What Relay's own compiler needs of a schema: connections, objects that are found again by their id, and typed events. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { compileDocuments } from './relay-project.js';

const schema = readFileSync('schema.graphql', 'utf8');

const documents = {
  ThreadRow: 'fragment ThreadRow_thread on Thread { id name state updatedAt owner { id name } }',
  // A list that is read page by page, from the root of the graph.
  ThreadList: `fragment ThreadList_query on Query
    @refetchable(queryName: "ThreadListPaginationQuery")
    @argumentDefinitions(count: { type: "Int", defaultValue: 20 }, cursor: { type: "String" }, filter: { type: "ThreadFilter" }) {
      threads(first: $count, after: $cursor, filter: $filter) @connection(key: "ThreadList_threads", filters: ["filter"]) {
        edges { node { id ...ThreadRow_thread } }
      }
    }`,
  // The same below an object, which Relay asks for again with `node(id:)`.
  MessageList: `fragment MessageList_thread on Thread
    @refetchable(queryName: "MessageListPaginationQuery")
    @argumentDefinitions(count: { type: "Int", defaultValue: 20 }, cursor: { type: "String" }) {
      messages(first: $count, after: $cursor) @connection(key: "MessageList_messages") {
        edges { node { id role contents { __typename ... on TextBlock { text } } } }
      }
    }`,
  // A chat, which opens at its end and goes back.
  Chat: `fragment Chat_thread on Thread
    @refetchable(queryName: "ChatPaginationQuery")
    @argumentDefinitions(count: { type: "Int", defaultValue: 20 }, cursor: { type: "String" }) {
      messages(last: $count, before: $cursor) @connection(key: "Chat_messages") { edges { node { id role } } }
    }`,
  AnyNode: 'fragment AnyNode_node on Node { id ... on Thread { name } ... on Message { role } }',
  Page: `query PageQuery($id: ID!) {
    ...ThreadList_query
    thread(id: $id) { ...MessageList_thread }
    chat: thread(id: $id) { ...Chat_thread }
    node(id: $id) { ...AnyNode_node }
  }`,
  // The live list keeps the connection right by directives alone.
  Live: `subscription LiveSubscription($after: String, $lists: [ID!]!) {
    threadsChanged(after: $after) {
      __typename
      ... on ThreadsCaughtUp { cursor }
      ... on ThreadUpserted { cursor thread @prependNode(connections: $lists, edgeTypeName: "ThreadEdge") { id ...ThreadRow_thread } }
      ... on ThreadHidden { cursor threadId @deleteRecord }
    }
  }`,
};

describe('relay-compiler', () => {
  it('compiles connections, refetchable fragments and the live list', async () => {
    const { code, output } = await compileDocuments(schema, documents);
    expect(code, output).toBe(0);
    // Seven documents, and the three queries that it makes itself for the pages.
    expect(output).toMatch(/compiled documents: 10 reader, 5 normalization/);
  });

  it('refuses a field that the schema does not have', async () => {
    const wrong = { ...documents, ThreadRow: documents.ThreadRow.replace('updatedAt', 'changedAt') };
    const { code, output } = await compileDocuments(schema, wrong);
    expect(code).not.toBe(0);
    expect(output).toContain('has no field `changedAt`');
  });

  it.each([
    ['a thread that is no node', 'type Thread implements Node', 'type Thread', 'can never occur'],
    ['a connection without a cursor', '  endCursor: String\n', '  lastCursor: String\n', 'endCursor'],
    ['an edge of another name', /\bThreadEdge\b/g, 'ThreadItem', 'ThreadEdge'],
    [
      'an id of another type',
      '  threadId: ID!\n}\n\n"""One change',
      '  threadId: String!\n}\n\n"""One change',
      'deleteRecord',
    ],
  ])('would refuse a schema with %s', async (_what, good, bad, reason) => {
    const { code, output } = await compileDocuments(schema.replace(good, bad), documents);
    expect(code, output).not.toBe(0);
    expect(output).toContain(reason);
  });
});
