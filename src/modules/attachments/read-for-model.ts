/**
 * Reads a conversation's attachments for the model. Texts are read immediately; images and PDF are read in pieces while
 * they are sent, so that a running response keeps none of them in memory.
 */
import type { PrismaClient } from '../../../prisma/generated/client/client.js';

/** Total bytes per request. The newest attachments that fit are included, since each request repeats them. */
const maximumBytes = 10 * 1024 * 1024;
const maximumCount = 50;
/** Bytes read of a text, more than enough for the characters that the model is given. */
const textBytes = 400_000;

interface Head {
  name: string;
  mediaType: string;
  /** In bytes. */
  size: number;
}

export interface AttachedText extends Head {
  beginning: Uint8Array;
}

export interface AttachedBytes extends Head {
  /** Reads `length` bytes from `start` on. */
  read: (start: number, length: number) => Promise<Uint8Array>;
}

/** The attachments by id, as far as they fit into one request; `ids` has the newest last. */
export async function readForModel(
  database: PrismaClient,
  ids: readonly string[],
): Promise<ReadonlyMap<string, AttachedText | AttachedBytes>> {
  if (ids.length === 0) return new Map();
  const newest = ids.toReversed().slice(0, maximumCount);
  const rows = await database.$queryRaw<(Head & { id: string; beginning: Uint8Array | null })[]>`
    SELECT id, name, media_type AS "mediaType", size,
      CASE WHEN media_type LIKE 'text/%' OR media_type = 'application/json'
        THEN substring(content FROM 1 FOR ${textBytes}::int) END AS beginning
    FROM (
      SELECT a.id, a.name, a.media_type, a.size, a.content, sum(a.size) OVER (ORDER BY wanted.place) AS total
      FROM unnest(${newest}::text[]) WITH ORDINALITY AS wanted (id, place) JOIN attachment a ON a.id = wanted.id
      WHERE a.content IS NOT NULL) fitting
    WHERE total <= ${maximumBytes}`;
  return new Map(
    rows.map(({ id, beginning, ...head }) => {
      const read = (start: number, length: number) => readPiece(database, { id, start, length });
      return [id, beginning ? { ...head, beginning } : { ...head, read }];
    }),
  );
}

async function readPiece(
  database: PrismaClient,
  { id, start, length }: { id: string; start: number; length: number },
): Promise<Uint8Array> {
  const [row] = await database.$queryRaw<{ piece: Uint8Array }[]>`
    SELECT substring(content FROM ${start + 1}::int FOR ${length}::int) AS piece FROM attachment WHERE id = ${id}`;
  if (row?.piece.length !== length) throw new Error(`The attachment ${id} is gone.`);
  return row.piece;
}
