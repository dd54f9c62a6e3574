/** What the model is given of a conversation's attachments. */
import type { PrismaClient } from '../../../prisma/generated/client/client.js';

/** Together, in bytes: the newest that fit are given, since each request to the model carries them all again. */
const maximumBytes = 10 * 1024 * 1024;
const maximumCount = 50;

export interface AttachedFile {
  name: string;
  mediaType: string;
  content: Uint8Array;
}

/** The attachments with these ids by their id, as far as they fit into one request; `ids` has the newest last. */
export async function readForModel(
  database: PrismaClient,
  ids: readonly string[],
): Promise<ReadonlyMap<string, AttachedFile>> {
  if (ids.length === 0) return new Map();
  const newest = ids.toReversed().slice(0, maximumCount);
  const rows = await database.$queryRaw<(AttachedFile & { id: string })[]>`
    SELECT id, name, media_type AS "mediaType", content FROM (
      SELECT a.id, a.name, a.media_type, a.content, sum(a.size) OVER (ORDER BY wanted.place) AS total
      FROM unnest(${newest}::text[]) WITH ORDINALITY AS wanted (id, place) JOIN attachment a ON a.id = wanted.id
      WHERE a.content IS NOT NULL) fitting
    WHERE total <= ${maximumBytes}`;
  return new Map(rows.map(({ id, ...file }) => [id, file]));
}
