/**
 * Relay, without React. `npx relay-compiler relay.config.json` makes `__generated__` of `documents.ts`, and the plugin for
 * your bundler (`babel-plugin-relay`, `vite-plugin-relay`) puts it in their place.
 */
import type { Client } from 'graphql-sse';
import {
  commitMutation,
  Environment,
  fetchQuery,
  type GraphQLResponse,
  type GraphQLTaggedNode,
  Network,
  Observable,
  type OperationType,
  RecordSource,
  requestSubscription,
  Store,
} from 'relay-runtime';
import { allNames, type Chat, explain, followChanges, followText, type Server } from '../chat.js';
import { sseClient } from '../graphql-sse/chat.js';
import { iterate } from '../iterate.js';
import { failureOf, failureOfTransport } from '../resume.js';
import type { documentsChangesSubscription } from './__generated__/documentsChangesSubscription.graphql.js';
import type { documentsEventsSubscription } from './__generated__/documentsEventsSubscription.graphql.js';
import type { documentsSendMutation } from './__generated__/documentsSendMutation.graphql.js';
import type { documentsThreadsQuery } from './__generated__/documentsThreadsQuery.graphql.js';
import { changesSubscription, eventsSubscription, sendMutation, threadsQuery } from './documents.js';

export function relayChat(server: Server): Chat {
  const sse = sseClient(server, false);
  const environment = createEnvironment(sse);
  return {
    threadNames: (first) =>
      allNames(async (after) => {
        const data = await fetchQuery<documentsThreadsQuery>(environment, threadsQuery, { first, after }).toPromise();
        if (!data) throw new Error('The connection ended before the answer.');
        return data.threads;
      }),

    send: (threadId, text) =>
      new Promise((resolve, reject) => {
        commitMutation<documentsSendMutation>(environment, {
          mutation: sendMutation,
          variables: { input: { threadId, text, idempotencyKey: crypto.randomUUID() } },
          onCompleted: ({ sendMessage: result }) =>
            resolve(isKnown(result) ? explain(result) : { refused: 'This program is too old.' }),
          onError: reject,
        });
      }),

    responseText: ({ messageId }) =>
      followText(async function* (after) {
        const results = follow<documentsEventsSubscription>(environment, eventsSubscription, { messageId, after });
        for await (const { responseEvents: event } of results) if (isKnown(event)) yield event;
      }),

    changes: (last) =>
      followChanges(async function* (after) {
        const results = follow<documentsChangesSubscription>(environment, changesSubscription, { after });
        for await (const { threadsChanged: change } of results) if (isKnown(change)) yield change;
      }, last),

    close: () => sse.dispose(),
  };
}

function createEnvironment(sse: Client): Environment {
  // Queries go the same way as subscriptions: the stream has one result.
  const execute = ({ text }: { text?: string | null | undefined }, variables: Record<string, unknown>) =>
    Observable.create<GraphQLResponse>((sink) =>
      sse.subscribe(
        { query: text ?? '', variables },
        {
          next: ({ data, errors }) => (errors || !data ? sink.error(failureOf(errors ?? [])) : sink.next({ data })),
          error: (error) => sink.error(toError(failureOfTransport(error))),
          complete: () => sink.complete(),
        },
      ),
    );
  return new Environment({
    network: Network.create(execute, execute),
    store: new Store(new RecordSource()),
  });
}

function follow<Operation extends OperationType>(
  environment: Environment,
  subscription: GraphQLTaggedNode,
  variables: Operation['variables'],
): AsyncGenerator<Operation['response']> {
  return iterate<Operation['response']>({
    subscribe: ({ next, error: onError, complete: onCompleted }) => {
      const onNext = (response: Operation['response'] | null | undefined) => response && next(response);
      const { dispose } = requestSubscription<Operation>(environment, {
        subscription,
        variables,
        onNext,
        onError,
        onCompleted,
      });
      return { unsubscribe: dispose };
    },
  });
}

/** False for a member of a union that is newer than this program. */
function isKnown<Member extends { readonly __typename: string }>(
  member: Member,
): member is Exclude<Member, { readonly __typename: '%other' }> {
  return member.__typename !== '%other';
}

function toError(failure: unknown): Error {
  return failure instanceof Error ? failure : new Error('The connection was lost.', { cause: failure });
}
