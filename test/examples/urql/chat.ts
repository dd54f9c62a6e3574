/** urql: queries and mutations over POST, subscriptions over graphql-sse. In React, `useQuery` and `useSubscription` do the same. */
import { Client, type CombinedError, cacheExchange, fetchExchange, subscriptionExchange } from '@urql/core';
import type { Client as SseClient } from 'graphql-sse';
import { toAsyncIterable } from 'wonka';
import { allNames, type Chat, explain, followChanges, followText, type Server } from '../chat.js';
import { ResponseEvents, SendMessage, ThreadsChanged, ThreadsPage } from '../documents.js';
import { sseClient } from '../graphql-sse/chat.js';
import { failureOf, failureOfTransport } from '../resume.js';

export function urqlChat(server: Server): Chat {
  const sse = sseClient(server, false);
  const client = createUrqlClient(server, sse);
  return {
    threadNames: (first) =>
      allNames(async (after) => dataOf(await client.query(ThreadsPage, { first, after })).threads),

    async send(threadId, text) {
      const key = crypto.randomUUID();
      return explain(dataOf(await client.mutation(SendMessage, { threadId, text, key })).sendMessage);
    },

    responseText: ({ messageId }) =>
      followText(async function* (after) {
        const results = toAsyncIterable(client.subscription(ResponseEvents, { messageId, after }));
        for await (const result of results) yield dataOf(result).responseEvents;
      }),

    changes: (last) =>
      followChanges(async function* (after) {
        const results = toAsyncIterable(client.subscription(ThreadsChanged, { after }));
        for await (const result of results) yield dataOf(result).threadsChanged;
      }, last),

    close: () => sse.dispose(),
  };
}

function createUrqlClient({ origin, token }: Server, sse: SseClient): Client {
  return new Client({
    url: `${origin}/graphql`,
    // A query by GET would stand in the logs of every proxy.
    preferGetMethod: false,
    fetchOptions: () => ({ headers: { authorization: `Bearer ${token}` } }),
    exchanges: [
      cacheExchange,
      fetchExchange,
      subscriptionExchange({
        forwardSubscription: ({ query = '', variables = {} }) => ({
          subscribe: (sink) => ({ unsubscribe: sse.subscribe({ query, variables: { ...variables } }, sink) }),
        }),
      }),
    ],
  });
}

/** The data of a result. Throws `RefusedError` for the service's own errors, and what happened to the network as it is. */
function dataOf<Data>({ data, error }: { data?: Data | undefined; error?: CombinedError | undefined }): Data {
  if (error?.graphQLErrors.length) throw failureOf(error.graphQLErrors);
  if (error) throw failureOfTransport(error.networkError);
  if (data === undefined) throw new Error('The result has neither data nor an error.');
  return data;
}
