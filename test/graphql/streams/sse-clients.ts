/** graphql-sse's own client, in both of its modes, and what a subscription gave it. */
import { type Client, createClient } from 'graphql-sse';
import type { GraphQLResult } from '../../support/clients/graphql-client.js';
import type { Person, TestService } from '../../support/service.js';

export interface Answer {
  type: string;
  cursor: string;
  token?: string;
}

export interface Sink {
  results: GraphQLResult<{ responseEvents: Answer }>[];
  /** Settles at the end of the operation; rejects where it failed. */
  end: Promise<void>;
  unsubscribe: () => void;
}

export interface ClientOptions {
  service: TestService;
  person: Person;
  singleConnection: boolean;
}

/** In single connection mode it reserves its stream at once, and keeps it. */
export function sseClient({ service, person, singleConnection }: ClientOptions): Client<boolean> {
  const url = `${service.url}/graphql/stream`;
  const headers = { authorization: `Bearer ${person.token}` };
  return createClient({ url, headers, singleConnection, lazy: !singleConnection, retryAttempts: 1 });
}

const query = `subscription ($messageId: ID!, $after: String) {
  responseEvents(messageId: $messageId, after: $after) {
    type: __typename
    ... on ResponseStatus { cursor }
    ... on ResponseToken { cursor token }
    ... on ResponseError { cursor }
    ... on ResponseDone { cursor }
  }
}`;

/** Follows a response with the client. */
export function follow(client: Client<boolean>, variables: { messageId: string; after?: string }): Sink {
  return subscribe(client, { query, variables });
}

/** Runs anything with the client. */
export function subscribe(client: Client<boolean>, operation: { query: string; variables?: object }): Sink {
  const sink: Sink = { results: [], end: Promise.resolve(), unsubscribe: () => undefined };
  sink.end = new Promise((resolve, reject) => {
    const next = (result: unknown) => sink.results.push(result as Sink['results'][number]);
    sink.unsubscribe = client.subscribe(
      { ...operation, variables: { ...operation.variables } },
      { next, error: reject, complete: resolve },
    );
  });
  return sink;
}

export function textOf({ results }: Sink): string {
  return results.map(({ data }) => data?.responseEvents.token ?? '').join('');
}
