/**
 * Where a search has found each thread of a page, by one statement for all of them. PostgreSQL decides it with what it searches
 * with, so whatever finds a thread can be shown; of each thread it reads messages from the newest one back, up to the first
 * that matches, and looks for the words in that one alone.
 */
import { Prisma, type PrismaClient } from '../../../prisma/generated/client/client.js';
import type { Viewer } from '../identity/authenticate.js';
import { visibleToSql } from './visibility.js';

export interface ThreadMatch {
  threadId: string;
  /** The newest active message that matches; null where the name does. */
  messageId: string | null;
  parts: MatchPart[];
}

/** A part of the text around the hit, as it is. */
export interface MatchPart {
  text: string;
  isHit: boolean;
}

/** Characters of a message that are shown; an ellipsis may stand on either side. */
export const excerptLength = 160;
/** A name is shown whole: it has no more characters. */
const nameLength = 255;
const maximumHits = 6;
/** Hits and what is between them, before the first and after the last. */
export const maximumParts = 2 * maximumHits + 1;

export interface Search {
  q: string;
  threadIds: readonly string[];
}

/** The matches by the ids of their threads; those that the viewer does not see, or that match no longer, have none. */
export async function findMatches(
  database: PrismaClient,
  viewer: Viewer,
  search: Search,
): Promise<Map<string, ThreadMatch>> {
  if (!search.q.trim() || search.threadIds.length === 0) return new Map();
  const rows = await database.$queryRaw<MatchRow[]>(matchesSql(viewer, search));
  return new Map(rows.map(({ pieces, ...row }) => [row.threadId, { ...row, parts: partsOf(pieces ?? []) }]));
}

/** A word, or what is between two of them, and whether it was searched for. */
type Piece = [text: string, isHit: boolean];

interface MatchRow {
  threadId: string;
  messageId: string | null;
  pieces: Piece[] | null;
}

/** The statement that finds them. Exported so that a test can ask PostgreSQL for its plan. */
export function matchesSql(viewer: Viewer, { q, threadIds }: Search): Prisma.Sql {
  const query = Prisma.sql`search_query(${q})`;
  return Prisma.sql`
    SELECT t.id AS "threadId", hit.id AS "messageId",
      search_excerpt(
        coalesce(${spokenText(threadIds.length)}, t.name, ''), ${query},
        CASE WHEN hit.id IS NULL THEN ${nameLength}::int ELSE ${excerptLength}::int END) AS pieces
    FROM thread t LEFT JOIN LATERAL (
      SELECT m.id, m.contents FROM message m
      WHERE m.thread_id = t.id AND m.active AND m.search @@ ${query} AND NOT t.search @@ ${query}
      ORDER BY m.sequence DESC LIMIT 1) hit ON true
    WHERE t.id = ANY(${[...threadIds]}) AND ${visibleToSql(viewer)} AND (t.search @@ ${query} OR hit.id IS NOT NULL)`;
}

/** Characters of all texts together in which one statement looks for the words. */
const maximumCharacters = 2_000_000;

/** Spaces that become one; a plain one stays as it is, because each that is replaced costs something. */
const brokenSpace = String.raw`\s{2,}|[\t-\r\u0085\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]`;

/**
 * What is searched of a message (`message_search_vector` in the migrations), in one line. Where many threads are asked for at
 * once, less of each: a page of long texts must not take seconds.
 */
function spokenText(texts: number): Prisma.Sql {
  const most = Math.min(100_000, Math.floor(maximumCharacters / texts));
  return Prisma.sql`(
    SELECT regexp_replace(
      left(string_agg(coalesce(block ->> 'text', block ->> 'question'), ' ' ORDER BY place), ${most}::int), ${brokenSpace}, ' ', 'g')
    FROM jsonb_array_elements(hit.contents) WITH ORDINALITY AS blocks (block, place))`;
}

/** Neighbours of one kind become one part; what was found beyond the bound stands there unmarked. */
function partsOf(pieces: readonly Piece[]): MatchPart[] {
  const parts: MatchPart[] = [];
  for (const [text, isFound] of pieces) {
    const last = parts.at(-1);
    const isHit = isFound && (last?.isHit === true || parts.length < maximumParts - 1);
    if (last && last.isHit === isHit) last.text += text;
    else parts.push({ text, isHit });
  }
  return parts;
}
