/**
 * Queries and mutations. Nothing is cached here: what must be live is kept by the stores that follow it, and the rest is
 * small. The header shows the service that no other site made the browser send the request.
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

/** What a request came to. A refusal has a message for people, and a code where the service gave one. */
export type Outcome<Value> =
  | { ok: true; value: Value }
  | { ok: false; message: string; code: string; problems: { field: string; message: string }[] };

let questions = 0;

/** The data of a query, as it is after it was asked for: an equal one that is on its way already may be answered with less. */
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
