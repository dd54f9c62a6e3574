/** Apollo Client: a link for HTTP, and a small one of our own over graphql-sse for subscriptions. */
import { readFileSync } from 'node:fs';
import { ApolloClient, ApolloLink, CombinedGraphQLErrors, HttpLink, InMemoryCache } from '@apollo/client';
import { relayStylePagination } from '@apollo/client/utilities';
import {
  buildSchema,
  type GraphQLError,
  type GraphQLFormattedError,
  type GraphQLSchema,
  isAbstractType,
  OperationTypeNode,
  print,
} from 'graphql';
import type { Client } from 'graphql-sse';
import { Observable } from 'rxjs';
import { type Chat, explain, followChanges, followText, type Server } from '../chat.js';
import { ResponseEvents, SendMessage, ThreadsChanged, ThreadsPage } from '../documents.js';
import { sseClient } from '../graphql-sse/chat.js';
import { failureOf, failureOfTransport } from '../resume.js';

export function apolloChat(server: Server): Chat {
  const sse = sseClient(server, false);
  const client = createApolloClient(server, sse);
  return {
    async threadNames(first) {
      let { data } = await client.query({ query: ThreadsPage, variables: { first } });
      while (data?.threads.pageInfo.hasNextPage) {
        const variables = { first, after: data.threads.pageInfo.endCursor };
        // The list in the cache would answer for its own next page. With `useQuery`, this is `fetchMore`.
        ({ data } = await client.query({ query: ThreadsPage, variables, fetchPolicy: 'network-only' }));
      }
      // The cache has added each page to the list.
      return data?.threads.edges.map(({ node }) => node.name ?? 'untitled') ?? [];
    },

    async send(threadId, text) {
      const variables = { threadId, text, key: crypto.randomUUID() };
      const { data } = await client.mutate({ mutation: SendMessage, variables });
      if (!data) throw new Error('The result has neither data nor an error.');
      return explain(data.sendMessage);
    },

    responseText: ({ messageId }) =>
      followText(async function* (after) {
        // Tokens are events and no objects: the cache has no use for them.
        const query = { query: ResponseEvents, variables: { messageId, after }, fetchPolicy: 'no-cache' } as const;
        for await (const result of results(client.subscribe(query))) yield dataOf(result).responseEvents;
      }),

    changes: (last) =>
      followChanges(async function* (after) {
        // Each changed thread takes its place in the cache, and every view that shows it is drawn anew.
        const query = { query: ThreadsChanged, variables: { after } };
        for await (const result of results(client.subscribe(query))) yield dataOf(result).threadsChanged;
      }, last),

    close: () => sse.dispose(),
  };
}

function createApolloClient({ origin, token }: Server, sse: Client): ApolloClient {
  const http = new HttpLink({ uri: `${origin}/graphql`, headers: { authorization: `Bearer ${token}` } });
  return new ApolloClient({
    link: ApolloLink.split(
      ({ operationType }) => operationType === OperationTypeNode.SUBSCRIPTION,
      subscriptionLink(sse),
      http,
    ),
    cache: new InMemoryCache({
      // Which types are members of which union: the cache cannot know, and loses what it cannot match.
      possibleTypes: membersOf(buildSchema(readFileSync('schema.graphql', 'utf8'))),
      typePolicies: {
        // The pages of one list are one list in the cache; lists with other filters or another order are others.
        Query: { fields: { threads: relayStylePagination(['filter', 'orderBy']) } },
        // The last event of the feed is worth nothing beside the thread in it, which has a place of its own.
        Subscription: { fields: { threadsChanged: { merge: false } } },
      },
    }),
  });
}

function membersOf(schema: GraphQLSchema): Record<string, string[]> {
  const abstract = Object.values(schema.getTypeMap()).filter(isAbstractType);
  return Object.fromEntries(abstract.map((type) => [type.name, schema.getPossibleTypes(type).map(({ name }) => name)]));
}

function subscriptionLink(sse: Client): ApolloLink {
  return new ApolloLink(
    ({ query, variables }) =>
      new Observable((sink) =>
        sse.subscribe(
          { query: print(query), variables },
          {
            next: ({ data = null, errors }) => sink.next(errors ? { data, errors: errors.map(format) } : { data }),
            error: (error) => sink.error(error),
            complete: () => sink.complete(),
          },
        ),
      ),
  );
}

function format({ message, extensions }: GraphQLError): GraphQLFormattedError {
  return { message, extensions };
}

function results<Data>(observable: Observable<ApolloClient.SubscribeResult<Data>>) {
  return iterate<ApolloClient.SubscribeResult<Data>>(observable);
}

/** The data of a result. Throws `RefusedError` for the service's own errors, and what happened to the network as it is. */
function dataOf<Data>({ data, error }: { data?: Data | undefined; error?: unknown }): Data {
  if (CombinedGraphQLErrors.is(error)) throw failureOf(error.errors);
  if (error) throw failureOfTransport(error);
  if (data === undefined) throw new Error('The result has neither data nor an error.');
  return data;
}

/** Anything that pushes values, as observables do, for a `for await` loop. Leaving the loop unsubscribes. */
interface Pushing<Value> {
  subscribe(sink: { next(value: Value): void; error(error: unknown): void; complete(): void }): { unsubscribe(): void };
}

/** The values in order, to the end; throws what the source fails with. */
async function* iterate<Value>(source: Pushing<Value>): AsyncGenerator<Value, void, void> {
  let subscription: { unsubscribe(): void } | undefined;
  const stream = new ReadableStream<Value>({
    start: (controller) => {
      subscription = source.subscribe({
        next: (value) => controller.enqueue(value),
        error: (error) => controller.error(error),
        complete: () => controller.close(),
      });
    },
    cancel: () => subscription?.unsubscribe(),
  });
  const reader = stream.getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      yield value;
    }
  } finally {
    await reader.cancel();
  }
}
