/**
 * Rows as they were stored before texts were folded anew: their search vectors are made by the former folding, which the database
 * still has for queries (`former_search_query` in the migrations).
 */
import { expect, vi } from 'vitest';
import type { Prisma } from '../../../prisma/generated/client/client.js';
import { runSql } from '../server.js';
import type { TestService } from '../service.js';

const former = `
  CREATE OR REPLACE FUNCTION public.search_vector(value text) RETURNS tsvector LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
    SELECT to_tsvector('pg_catalog.simple'::regconfig, regexp_replace(public.fold_words(coalesce(value, '')),
      '[\\u0001-\\u002f\\u003a-\\u0040\\u005b-\\u0060\\u007b-\\u00bf\\u2000-\\u206f]+', ' ', 'g')) $$`;

/** Runs the statements with the former folding, and forgets that anything was made again. */
export async function storeFormerly({ storage, log }: TestService, ...statements: (string | Prisma.Sql)[]) {
  // Else the service would make it again at once.
  await vi.waitFor(() => expect(log.join('')).toContain('the index of words is complete'), { timeout: 30_000 });
  const [row] = await runSql(
    storage.url,
    `SELECT pg_get_functiondef('public.search_vector(text)'::regprocedure) AS definition`,
  );
  const { definition } = row as { definition: string };
  await runSql(storage.url, 'BEGIN', former, ...statements, definition, 'DELETE FROM search_rebuild', 'COMMIT');
}

/** Makes the vectors of all rows of the table again, or of those that meet a condition. */
export function refold(table: 'thread' | 'message', condition = 'true'): string {
  const source = table === 'thread' ? 'name' : 'contents';
  return `UPDATE ${table} SET ${source} = ${source} WHERE ${condition}`;
}
