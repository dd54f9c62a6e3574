/**
 * Stores and reads the content of attachments. Only the owner writes it, once. Whoever sees the thread that it was sent
 * to can read it; before that, only its owner. No other statement selects the column.
 */
import { createHash } from 'node:crypto';
import { Prisma, type PrismaClient } from '../../../prisma/generated/client/client.js';
import { isId } from '../../ids.js';
import type { Viewer } from '../identity/authenticate.js';
import { visibleToSql } from '../threads/visibility.js';
import { uploadMinutes } from './announce.js';

/** An attachment without its content. */
export interface AttachmentHead {
  id: string;
  name: string;
  mediaType: string;
  /** In bytes. */
  size: number;
  /** SHA-256 of the content. */
  digest: Uint8Array;
  /** The thread that it was sent to; null until it is sent. */
  threadId: string | null;
}

type Announced = Omit<AttachmentHead, 'digest' | 'threadId'>;

/** A recently announced attachment of the viewer, uploaded or not; null if there is none. */
export async function findAnnounced(database: PrismaClient, viewer: Viewer, id: string): Promise<Announced | null> {
  if (!isId('att', id)) return null;
  const [announced] = await database.$queryRaw<Announced[]>`
    SELECT id, name, media_type AS "mediaType", size FROM attachment
    WHERE id = ${id} AND owner_id = ${viewer.userId}
      AND created_at > clock_timestamp() - ${uploadMinutes} * interval '1 minute'`;
  return announced ?? null;
}

/**
 * Stores the content of an announced attachment. Returns true if it is stored, now or by an earlier attempt with the
 * same bytes; false if it has other content or the time for the upload is over.
 */
export async function storeContent(
  database: PrismaClient,
  viewer: Viewer,
  { id, content }: { id: string; content: Uint8Array },
): Promise<boolean> {
  const digest = createHash('sha256').update(content).digest();
  const stored = await database.$executeRaw`
    UPDATE attachment SET content = ${content}, digest = ${digest}, uploaded_at = clock_timestamp()
    WHERE id = ${id} AND owner_id = ${viewer.userId} AND content IS NULL
      AND created_at > clock_timestamp() - ${uploadMinutes} * interval '1 minute'`;
  if (stored > 0) return true;
  const same = await database.$queryRaw<unknown[]>`
    SELECT 1 FROM attachment WHERE id = ${id} AND owner_id = ${viewer.userId} AND digest = ${digest}`;
  return same.length > 0;
}

/** An uploaded attachment that the viewer may see. */
export async function findAttachment(
  database: PrismaClient,
  viewer: Viewer,
  id: string,
): Promise<AttachmentHead | null> {
  if (!isId('att', id)) return null;
  const [head] = await database.$queryRaw<AttachmentHead[]>`
    SELECT a.id, a.name, a.media_type AS "mediaType", a.size, a.digest, t.id AS "threadId" FROM ${visibleAttachment(viewer)}
    AND a.id = ${id}`;
  return head ?? null;
}

/**
 * `length` bytes of the content from `start` on, or those that are left; null if the attachment was removed or hidden
 * meanwhile.
 */
export async function readContent(
  database: PrismaClient,
  viewer: Viewer,
  { id, start, length }: { id: string; start: number; length: number },
): Promise<Uint8Array | null> {
  const [row] = await database.$queryRaw<{ piece: Uint8Array }[]>`
    SELECT substring(a.content FROM ${start + 1}::int FOR ${length}::int) AS piece FROM ${visibleAttachment(viewer)}
    AND a.id = ${id}`;
  return row?.piece ?? null;
}

function visibleAttachment(viewer: Viewer): Prisma.Sql {
  return Prisma.sql`
    attachment a LEFT JOIN message m ON m.id = a.message_id LEFT JOIN thread t ON t.id = m.thread_id
    WHERE a.content IS NOT NULL AND CASE WHEN a.message_id IS NULL THEN a.owner_id = ${viewer.userId}
      ELSE ${visibleToSql(viewer)} END`;
}
