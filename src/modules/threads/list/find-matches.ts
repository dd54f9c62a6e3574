/**
 * Finds where a search matched each thread of a page, with one statement for all. PostgreSQL decides with the same
 * means as the search, so every result can be shown. In each thread it reads messages from the newest on, up to the
 * first match, and looks for the words only in that one.
 */
import { Prisma, type PrismaClient } from '../../../../prisma/generated/client/client.js';
import { textLimits } from '../../../contract.js';
import type { Viewer } from '../../identity/authenticate.js';
import { visibleToSql } from '../visibility.js';

export interface ThreadMatch {
  threadId: string;
  /** The newest matching active message; null if the name or, without one, the title of the model matches. */
  messageId: string | null;
  parts: MatchPart[];
}

/** A part of the snippet, unchanged. */
export interface MatchPart {
  text: string;
  isHit: boolean;
}

/** Maximum characters of a snippet; an ellipsis may be on either side. */
export const excerptLength = 160;
const maximumHits = 6;
/** Hits, and the text between, before and after them. */
export const maximumParts = 2 * maximumHits + 1;

export interface Search {
  q: string;
  threadIds: readonly string[];
}

/** The matches by thread id. Threads that the viewer cannot see, or that no longer match, have none. */
export async function findMatches(
  database: PrismaClient,
  viewer: Viewer,
  search: Search,
): Promise<Map<string, ThreadMatch>> {
  if (!search.q.trim() || search.threadIds.length === 0) return new Map();
  const rows = await database.$queryRaw<MatchRow[]>(matchesSql(viewer, search));
  return new Map(rows.map(({ pieces, ...row }) => [row.threadId, { ...row, parts: partsOf(pieces ?? []) }]));
}

/** A word or the text between two words, and whether it matches. */
type Piece = [text: string, isHit: boolean];

interface MatchRow {
  threadId: string;
  messageId: string | null;
  pieces: Piece[] | null;
}

/**
 * The statement that finds them. What was folded anew is marked by the words of that folding alone. Exported so that a test can
 * check its plan.
 */
export function matchesSql(viewer: Viewer, { q, threadIds }: Search): Prisma.Sql {
  const query = Prisma.sql`search_query(${q})`;
  return Prisma.sql`
    SELECT t.id AS "threadId", hit.id AS "messageId",
      search_excerpt(
        coalesce(${spokenText(threadIds.length)}, t.name, t.generated_name, ''),
        CASE WHEN coalesce(hit.search, t.search) @@ '''Folded''' THEN folded_search_query(${q}) ELSE ${query} END,
        CASE WHEN hit.id IS NULL THEN ${textLimits.name.max}::int ELSE ${excerptLength}::int END) AS pieces
    FROM thread t LEFT JOIN LATERAL (
      SELECT m.id, m.contents, m.search FROM message m
      WHERE m.thread_id = t.id AND m.active AND m.search @@ ${query} AND NOT t.search @@ ${query}
      ORDER BY m.sequence DESC LIMIT 1) hit ON true
    WHERE t.id = ANY(${[...threadIds]}) AND ${visibleToSql(viewer)} AND (t.search @@ ${query} OR hit.id IS NOT NULL)`;
}

/** Maximum characters in which one statement searches for the words. */
const maximumCharacters = 2_000_000;

/** White space to be replaced with one space. Plain single spaces are excluded, because each replacement costs time. */
const brokenSpace = String.raw`\s{2,}|[\t-\r\u0085\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]`;

/**
 * The searched text of a message (`message_search_vector` in the migrations), on one line. The more threads a statement
 * has, the less of each it searches, so that a page of long texts does not take seconds.
 */
function spokenText(texts: number): Prisma.Sql {
  const most = Math.min(100_000, Math.floor(maximumCharacters / texts));
  return Prisma.sql`(
    SELECT regexp_replace(
      left(string_agg(coalesce(block ->> 'text', block ->> 'question'), ' ' ORDER BY place), ${most}::int), ${brokenSpace}, ' ', 'g')
    FROM jsonb_array_elements(hit.contents) WITH ORDINALITY AS blocks (block, place))`;
}

/** Merges neighbouring pieces of one kind. Hits beyond the maximum are not marked. */
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
