/**
 * graphql-sse's own client for everything, queries too. With `singleConnection: true` all operations share one connection,
 * which is for browsers over HTTP/1.1, where a page has six of them.
 */
import type { TadaDocumentNode } from 'gql.tada';
import { print } from 'graphql';
import { type Client, createClient } from 'graphql-sse';
import { allNames, type Chat, explain, followChanges, followText, type Server } from '../chat.js';
import { ResponseEvents, SendMessage, ThreadsChanged, ThreadsPage } from '../documents.js';
import { failureOf, failureOfTransport } from '../resume.js';

export function graphqlSseChat(server: Server, singleConnection = false): Chat {
  const client = sseClient(server, singleConnection);
  return {
    threadNames: (first) => allNames(async (after) => (await once(client, ThreadsPage, { first, after })).threads),

    async send(threadId, text) {
      const { sendMessage } = await once(client, SendMessage, { threadId, text, key: crypto.randomUUID() });
      return explain(sendMessage);
    },

    responseText: ({ messageId }) =>
      followText(async function* (after) {
        for await (const data of results(client, ResponseEvents, { messageId, after })) yield data.responseEvents;
      }),

    changes: (last) =>
      followChanges(async function* (after) {
        for await (const data of results(client, ThreadsChanged, { after })) yield data.threadsChanged;
      }, last),

    close: () => client.dispose(),
  };
}

/**
 * Its own retries are off: they would send the same variables again, and so repeat everything after the old cursor.
 * The headers are a function, so that a new connection has the token of that moment.
 */
export function sseClient<Single extends boolean>({ origin, token }: Server, singleConnection: Single): Client<Single> {
  const headers = () => ({ authorization: `Bearer ${token}` });
  return createClient<Single>({ url: `${origin}/graphql/stream`, headers, singleConnection, retryAttempts: 0 });
}

/** The data of each result; throws where one has errors, and where the connection is lost. */
async function* results<Data, Variables extends Record<string, unknown>>(
  client: Client<boolean>,
  document: TadaDocumentNode<Data, Variables>,
  variables: NoInfer<Variables>,
): AsyncGenerator<Data> {
  const operation = { query: print(document), variables };
  try {
    for await (const { data, errors } of client.iterate<Data>(operation)) {
      if (errors) throw failureOf(errors);
      if (data) yield data;
    }
  } catch (error) {
    throw failureOfTransport(error);
  }
}

/** The data of an operation that has one result. */
async function once<Data, Variables extends Record<string, unknown>>(
  client: Client<boolean>,
  document: TadaDocumentNode<Data, Variables>,
  variables: NoInfer<Variables>,
): Promise<Data> {
  for await (const data of results(client, document, variables)) return data;
  throw new Error('The connection ended before the answer.');
}
