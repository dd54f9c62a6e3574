/** What a caller should get of a row, and what an answer amounts to. */
import type { GraphQLResult } from '../../support/clients/graphql-client.js';
import type { Caller } from './visibility-callers.js';
import { type Outcome, type Row, rows } from './visibility-probes.js';
import type { Target } from './visibility-stage.js';

/** Name for a failure: `private, archived`. */
export function describeTarget({ kind, isPrivate }: Target): string {
  return `${isPrivate ? 'private' : 'public'}, ${kind}`;
}

/** The row of the table; throws where there is none. */
export function rowOf(name: string): Row {
  const row = rows[name];
  if (!row) throw new Error(`There is no row ${name}.`);
  return row;
}

/** True where a mutation must change nothing. */
export function isRefused(row: Row, caller: Caller, target: Target): boolean {
  return expectedOf(row, caller, target) !== 'value';
}

/** In the words of the table; `UNAUTHENTICATED` and `MISSING_SCOPE` with the scope come before it. */
export function expectedOf(row: Row, { who, scopes }: Caller, { isPrivate }: Target): string {
  if (who === 'nobody') return 'UNAUTHENTICATED';
  if (!scopes.has(row.scope)) return `MISSING_SCOPE ${row.scope}`;
  const [owner, colleague, stranger] = isPrivate ? row.private : row.public;
  const outcome = { owner, colleague, stranger }[who];
  return outcome === 'value' && row.inside && !scopes.has(row.inside) ? `MISSING_SCOPE ${row.inside}` : outcome;
}

/** The same of an answer; `sought` is the id of what a list should have. */
export function outcomeOf(
  results: readonly GraphQLResult[],
  { field, sought }: { field: string; sought: string | undefined },
) {
  const [failure] = results.flatMap(({ errors }) => errors ?? []);
  if (failure) {
    const { code, requiredScope } = failure.extensions ?? {};
    return [code ?? failure.message, requiredScope].filter(Boolean).join(' ');
  }
  if (sought !== undefined) return JSON.stringify(results).includes(sought) ? 'value' : ('absent' satisfies Outcome);
  const value = results[0]?.data?.[field] as { __typename?: string } | null | undefined;
  if (!value) return value === null ? 'null' : 'nothing at all';
  return value.__typename?.endsWith('Error') && value.__typename !== 'ResponseError' ? value.__typename : 'value';
}

/** Streams that have no end of their own are left where nothing new would come. */
export function isLast({ data, errors }: GraphQLResult, { kind }: Target): boolean {
  if (errors || data?.['threadChanged'] || data?.['threadPresence']) return true;
  const event = (data?.['threadsChanged'] ?? data?.['responseEvents']) as { __typename: string } | undefined;
  const type = event?.__typename;
  return (
    type === 'ThreadsCaughtUp' ||
    (kind === 'active' && type === 'ResponseToken') ||
    (kind === 'waiting' && type === 'ResponseStatus')
  );
}
