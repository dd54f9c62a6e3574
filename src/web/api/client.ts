/**
 * Queries and mutations. Nothing is cached: the stores keep what must be live, and everything else is small. The header
 * proves to the service that the request does not come from a form or link on another site.
 */
import { Client, type CombinedError, createRequest, fetchExchange, type TypedDocumentNode } from 'urql';
import type { Found } from '../../graphql/document-types/document-types.js';
import { watchSession } from './session-ended.js';
import type { Refusal } from './types.js';

export const deliberateHeaders = { 'x-graphql-yoga-csrf': '1' };

export const client = new Client({
  url: '/graphql',
  exchanges: [fetchExchange],
  preferGetMethod: false,
  requestPolicy: 'network-only',
  fetchOptions: { credentials: 'same-origin', headers: deliberateHeaders },
  fetch: async (input, init) => {
    const watch = watchSession();
    const response = await fetch(input, init);
    watch(response);
    return response;
  },
});

/** The outcome of a request. A failure has a message for users, and the code of the service if it sent one. */
export type Outcome<Value> =
  | { ok: true; value: Value }
  | { ok: false; message: string; code: string; problems: { field: string; message: string }[] };

let questions = 0;

/**
 * Runs a query. Each has its own key, since sharing the response of an equal query that is in flight could return older
 * data.
 */
export async function runQuery<Data, Variables extends object>(
  document: TypedDocumentNode<Data, Variables>,
  variables: Variables,
): Promise<Outcome<Found<Data>>> {
  questions += 1;
  const request = { ...createRequest(document, variables), key: questions };
  const { data, error } = await client.executeQuery(request).toPromise();
  return data && !error ? { ok: true, value: data as Found<Data> } : failure(error);
}

type Success<Result> = Exclude<Result, { code: string }>;

/** Runs a mutation whose one field is called `outcome`. */
export async function runMutation<Result extends { __typename: string }, Variables extends object>(
  document: TypedDocumentNode<{ outcome: Result }, Variables>,
  variables: Variables,
): Promise<Outcome<Success<Result>>> {
  const { data, error } = await client.mutation(document, variables).toPromise();
  if (!data || error) return failure(error);
  const { outcome } = data;
  if (isRefusal(outcome)) {
    const { code, message } = outcome;
    return { ok: false, code, message, problems: 'problems' in outcome ? outcome.problems : [] };
  }
  return { ok: true, value: outcome as Success<Result> };
}

function isRefusal(outcome: object): outcome is Refusal {
  return 'code' in outcome;
}

function failure(error: CombinedError | undefined): Extract<Outcome<never>, { ok: false }> {
  const graphQLError = error?.graphQLErrors[0];
  const code = String(graphQLError?.extensions?.['code'] ?? 'UNREACHABLE');
  const message = graphQLError?.message ?? 'The service cannot be reached. Check your connection, then try again.';
  return { ok: false, code, message, problems: [] };
}
