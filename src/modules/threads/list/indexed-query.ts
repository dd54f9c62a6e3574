/**
 * Chooses what the index of words looks up for a search. The index collects everything with a prefix before it returns
 * anything, and PostgreSQL cannot cancel it meanwhile. Its statistics do not know how much that is, because they count
 * whole words. So a sample of messages tells, and a prefix that is too frequent is left to the check of what the other
 * words find.
 */
import { Prisma, type PrismaClient } from '../../../../prisma/generated/client/client.js';

/** Collecting the words with a prefix from so many messages takes some 20 ms. */
const usualMostMessages = 300_000;

/** Returns what to look up, which finds at least what the search finds; null if the index is of no use. */
export async function chooseIndexedQuery(
  database: PrismaClient,
  q: string,
  mostMessages = usualMostMessages,
): Promise<Prisma.Sql | null> {
  const [row] = await database.$queryRaw<SampleRow[]>(sampleSql(q));
  if ((row?.withPrefix ?? 0) <= mostMessages) return Prisma.sql`search_query(${q})`;
  return row?.hasOthers ? Prisma.sql`${withoutPrefix(q)}::tsquery` : null;
}

interface SampleRow {
  /** How many messages seem to have a word with the prefix; null without one. */
  withPrefix: number | null;
  /** Whether a match must have other words too, which the index can look up. */
  hasOthers: boolean | null;
}

/** Prefixes are words in quotation marks at the end of a query, or of each of its two foldings (`search_query` in the migrations). */
const prefixPattern = String.raw`('([^']|'')*':\*)`;

/** The part of the search that the index can look up without prefixes and without what is negated; '' or 'T': none. */
function withoutPrefix(q: string): Prisma.Sql {
  return Prisma.sql`querytree(regexp_replace(search_query(${q})::text, ${prefixPattern}, ${String.raw`!\1`}, 'g')::tsquery)`;
}

/** Reads two messages of each of a hundred random pages of the table. Long texts, which cost time, do not count. */
function sampleSql(q: string): Prisma.Sql {
  return Prisma.sql`
    SELECT ${withoutPrefix(q)} NOT IN ('', 'T') AS "hasOthers", CASE WHEN prefix.query IS NOT NULL THEN (
      SELECT avg(ts_match_vq(m.search, prefix.query)::int) * table_of.rows FROM message m
      WHERE pg_column_size(m.search) < 10000 AND m.ctid = ANY (ARRAY(
        SELECT format('(%s,%s)', floor(random() * table_of.pages), place)::tid
        FROM generate_series(1, 100), generate_series(1, 2) place)))::float8 END AS "withPrefix"
    FROM
      (SELECT string_agg(word[1], ' | ')::tsquery AS query
       FROM regexp_matches(search_query(${q})::text, ${prefixPattern}, 'g') AS word) prefix,
      (SELECT greatest(reltuples, 0) AS rows, relpages AS pages FROM pg_class WHERE oid = 'message'::regclass) table_of`;
}
