/**
 * Queries and mutations. Nothing is cached: the stores keep what must be live, and everything else is small. The header
 * proves to the service that the request does not come from a form or link on another site.
 */
import type { Found } from '../../graphql/document-types/document-types.js';
import { refusalText } from '../language/refusal-texts.js';
import { defineTexts } from '../language/texts.js';
import { notePassing } from '../ui/state/passing-problems.js';
import { type Document, type Sendable, textOf } from './graphql.js';
import { watchSession } from './session-ended.js';
import type { Refusal } from './types.js';

const texts = defineTexts('api/client', {
  unreachable: 'The service cannot be reached. Check your connection, then try again.',
});

export const deliberateHeaders = { 'x-graphql-yoga-csrf': '1' };

/** The outcome of a request. A failure has a message for users, and the code of the service if it sent one. */
export type Outcome<Value> =
  | { ok: true; value: Value }
  | { ok: false; message: string; code: string; problems: { field: string; message: string }[] };

type Failure = Extract<Outcome<never>, { ok: false }>;

export async function runQuery<Data, Variables extends object>(
  document: Document<Data, Variables>,
  variables: Variables,
): Promise<Outcome<Found<Data>>> {
  return send(document, variables);
}

type Success<Result> = Exclude<Result, { code: string }>;

/** Runs a mutation whose one field is called `outcome`. */
export async function runMutation<Result extends { __typename: string }, Variables extends object>(
  document: Document<{ outcome: Result }, Variables>,
  variables: Variables,
): Promise<Outcome<Success<Result>>> {
  const sent = await send<{ outcome: Result }>(document, variables);
  if (!sent.ok) return sent;
  const { outcome } = sent.value;
  if (isRefusal(outcome)) {
    const { code, message } = outcome;
    const problems = 'problems' in outcome ? outcome.problems : [];
    return { ok: false, code, message: refusalText(code, message), problems };
  }
  return { ok: true, value: outcome as Success<Result> };
}

function isRefusal(outcome: object): outcome is Refusal {
  return 'code' in outcome;
}

interface Reply<Data> {
  data?: Data | null;
  errors?: { message: string; extensions?: { code?: unknown; retryAfter?: number } }[];
}

async function send<Data>(document: Sendable, variables: object): Promise<Outcome<Data>> {
  const reply = await post<Data>(JSON.stringify({ query: textOf(document), variables }));
  const error = reply?.errors?.[0];
  if (error) {
    const code = String(error.extensions?.code);
    const seconds = error.extensions?.retryAfter ?? null;
    const message = refusalText(code, error.message, seconds);
    if (seconds !== null || code === 'UNAVAILABLE') notePassing(message, seconds);
    return { ok: false, code, message, problems: [] };
  }
  return reply?.data ? { ok: true, value: reply.data } : unreachable();
}

/** Of a request that did not reach the service. */
export function unreachable(): Failure {
  const message = texts.get().unreachable;
  notePassing(message, null);
  return { ok: false, code: 'UNREACHABLE', message, problems: [] };
}

/** The body of the reply; null if there is none, or if what answered is not the service, such as a proxy. */
async function post<Data>(body: string): Promise<Reply<Data> | null> {
  const headers = {
    ...deliberateHeaders,
    accept: 'application/graphql-response+json',
    'content-type': 'application/json',
  };
  const watch = watchSession();
  try {
    const response = await fetch('/graphql', { method: 'POST', credentials: 'same-origin', headers, body });
    await watch(response);
    return await response.json();
  } catch {
    return null;
  }
}
