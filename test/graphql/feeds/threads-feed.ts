/** The feed of changed threads as a subscriber gets it, and positions in it. */
import { encodeChangeCursor } from '../../../src/modules/feeds/change-cursor.js';
import { readHistory } from '../../../src/modules/feeds/read-changes.js';
import type { Data, GraphQLClient, GraphQLResult } from '../../support/clients/graphql-client.js';
import type { Person, TestService } from '../../support/service.js';

export const threadFields = 'id name state archived isPrivate owner { id }';

export const feedQuery = `subscription ($after: String) {
  threadsChanged(after: $after) {
    type: __typename
    ... on ThreadUpserted { cursor thread { ${threadFields} } }
    ... on ThreadHidden { cursor threadId }
    ... on ThreadsCaughtUp { cursor }
  }
}`;

export type FeedEvent = Data<typeof feedQuery>['threadsChanged'];
export type FeedResults = AsyncGenerator<GraphQLResult<Data<typeof feedQuery>>>;

/** Opens the feed behind a cursor, or at this moment. */
export async function openFeed(
  client: GraphQLClient,
  { after, signal }: { after?: string; signal?: AbortSignal } = {},
): Promise<FeedResults> {
  const { results } = await client.subscribe({ query: feedQuery, variables: { after } }, signal);
  return results;
}

/** The next event; throws where the feed has ended or gives an error. */
export async function nextChange(results: FeedResults): Promise<FeedEvent> {
  const { done, value } = await results.next();
  if (done) throw new Error('The feed has ended, and another event was expected.');
  if (value.errors || !value.data) throw new Error(`Not an event: ${JSON.stringify(value)}`);
  return value.data.threadsChanged;
}

/** What a subscriber gets who comes with `after` and leaves when it has caught up. */
export async function catchUp(client: GraphQLClient, after?: string): Promise<FeedEvent[]> {
  const results = await openFeed(client, after === undefined ? {} : { after });
  const events: FeedEvent[] = [];
  for (;;) {
    const event = await nextChange(results);
    events.push(event);
    if (event.type === 'ThreadsCaughtUp') break;
  }
  await results.return(undefined);
  return events;
}

/** The present position of the feed. */
export async function presentCursor(client: GraphQLClient): Promise<string> {
  return (await catchUp(client)).at(-1)?.cursor ?? '';
}

/** What each of them is told from now on, whenever it is asked for. */
export async function toldTo(people: readonly Person[]): Promise<() => Promise<FeedEvent[][]>> {
  const cursors = await Promise.all(people.map(({ graphql }) => presentCursor(graphql)));
  return () => Promise.all(people.map(({ graphql }, index) => catchUp(graphql, cursors[index])));
}

/** The position right before the last change of a thread, as if everything up to it had been read in pages. */
export async function cursorBefore({ service: { database } }: TestService, threadId: string): Promise<string> {
  const { changedXid } = await database.thread.findUniqueOrThrow({ where: { id: threadId } });
  const end = '999999999999999999';
  const pagination = { until: `${end}:${end}:`, xid: String(changedXid), threadId: `thr_${'0'.repeat(26)}` };
  return encodeChangeCursor({ history: await readHistory(database), since: '1:1:', pagination });
}
