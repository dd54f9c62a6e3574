/**
 * What GraphQL over HTTP costs beside REST: the same operation, with the same fields, on the same node and in turns. REST runs
 * documents of ours, compiled at the start, so the ratio is the price of a stranger's: body, limits, and graphql-js itself.
 */
import type { Bench, Row } from './bench.js';
import { type Comparison, compare } from './measuring/compare.js';
import type { Question } from './measuring/http-load.js';
import { type Seeded, seed } from './stage/seed.js';
import { comparedCells } from './table.js';

const limit = 3;

const thread = 'id name state isPrivate archived owner { id name } createdAt updatedAt appUrl';
const message = `id threadId role createdAt appUrl contents {
  __typename ... on TextBlock { text } ... on ImageBlock { attachmentId } ... on DocumentBlock { attachmentId }
  ... on UserGetChoiceBlock { toolUseId question choices } }`;

interface Operation {
  name: string;
  path: (seeded: Seeded) => string;
  query: string;
  variables: (seeded: Seeded) => object;
}

const operations: Operation[] = [
  {
    name: 'me',
    path: () => '/me',
    query: '{ me { sub name email userNumber organizationNumber organizationSlug role } }',
    variables: () => ({}),
  },
  {
    name: 'thread',
    path: ({ threadId }) => `/threads/${threadId}`,
    query: `query ($id: ID!) { thread(id: $id) { ${thread} } }`,
    variables: ({ threadId }) => ({ id: threadId }),
  },
  {
    name: '50 threads',
    path: () => '/threads?limit=50',
    query: `query ($first: Int!) {
      threads(first: $first, remember: true) { edges { node { ${thread} } } pageInfo { hasNextPage } } }`,
    variables: () => ({ first: 50 }),
  },
  {
    name: '50 messages',
    path: ({ threadId }) => `/threads/${threadId}/messages?limit=50`,
    query: `query ($id: ID!, $first: Int!) {
      thread(id: $id) { messages(first: $first) { edges { node { ${message} } } pageInfo { hasNextPage } } } }`,
    variables: ({ threadId }) => ({ id: threadId, first: 50 }),
  },
];

export const graphql: Bench = {
  name: 'graphql',
  summary: 'the same operation through POST /graphql and through REST',
  async run({ stage, scale, progress }) {
    const databaseUrl = await stage.createDatabase();
    const service = await stage.startService({ databaseUrl, environment: { ROLE: 'api' } });
    const seeded = await seed({ service, databaseUrl }, scale.seed);
    const rows: Row[] = [];
    for (const operation of operations) {
      progress(operation.name);
      const overGraphql = questionOf(service.url, operation, seeded);
      const overRest: Question = { url: `${service.url}/api/v1${operation.path(seeded)}`, token: seeded.token };
      rows.push(rowOf(operation.name, await compare(overGraphql, overRest, scale.requests)));
    }
    return rows;
  },
};

function questionOf(url: string, { query, variables }: Operation, seeded: Seeded): Question {
  const body = { query, variables: variables(seeded) };
  return { url: `${url}/graphql`, method: 'POST', token: seeded.token, body };
}

function rowOf(name: string, comparison: Comparison): Row {
  return { what: name, ...comparedCells(comparison), limit };
}
