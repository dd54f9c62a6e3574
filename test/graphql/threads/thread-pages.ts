/** Pages of threads as a client of GraphQL asks for them, and people who have a few. */
import type { InputOf } from '../../../src/graphql/document-types/document-types.js';
import type { Data, GraphQLClient } from '../../support/clients/graphql-client.js';
import type { Person, TestService } from '../../support/service.js';
import { addThreads } from '../../support/threads.js';

export const threadsQuery = `query ($first: Int, $after: String, $filter: ThreadFilter, $orderBy: ThreadOrder, $remember: Boolean) {
  threads(first: $first, after: $after, filter: $filter, orderBy: $orderBy, remember: $remember) {
    edges { cursor node { id name } }
    pageInfo { hasNextPage hasPreviousPage startCursor endCursor }
    endId
  }
}`;

export type ThreadPage = Data<typeof threadsQuery>['threads'];

/** A page; throws where there are errors. */
export async function threadPage(
  client: GraphQLClient,
  variables: InputOf<typeof threadsQuery> = {},
): Promise<ThreadPage> {
  return (await client.data(threadsQuery, variables)).threads;
}

/** All pages of two threads, each after the end of the one before. */
export async function pagesOfTwo(
  client: GraphQLClient,
  variables: InputOf<typeof threadsQuery>,
  endOf: (page: ThreadPage) => string | null | undefined = ({ pageInfo }) => pageInfo.endCursor,
): Promise<ThreadPage[]> {
  const pages = [await threadPage(client, { ...variables, first: 2 })];
  for (let last = pages[0]; last?.pageInfo.hasNextPage; last = pages.at(-1)) {
    pages.push(await threadPage(client, { ...variables, first: 2, after: endOf(last) }));
  }
  return pages;
}

export function idsOf({ edges }: ThreadPage): string[] {
  return edges.map(({ node }) => node.id);
}

export function namesOf({ edges }: ThreadPage): (string | null)[] {
  return edges.map(({ node }) => node.name);
}

let organizations = 0;

/** Somebody in a new organization with threads called "1", "2" and so on, each created a minute after the one before. */
export async function withThreads(
  service: TestService,
  count: number,
): Promise<{ client: GraphQLClient; person: Person; ids: string[] }> {
  organizations += 1;
  const person = await service.person({ org: `organization-${organizations}` });
  const seeds = Array.from({ length: count }, (_, n) => ({
    name: String(n + 1),
    createdAt: new Date(Date.UTC(2026, 0, 1, 12, n)),
  }));
  const ids = await addThreads(service, person, seeds);
  return { client: person.graphql, person, ids };
}
