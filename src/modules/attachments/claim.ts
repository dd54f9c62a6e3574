/**
 * Attaches attachments to a message in the statement that stores the message. The attachments are locked first, so of
 * two messages with the same attachment one gets it and the other is rejected, and a rejected message leaves them
 * unchanged.
 */
import { Prisma, type PrismaClient } from '../../../prisma/generated/client/client.js';
import { maximumAttachments } from '../../contract.js';
import { InvalidInputError } from '../../errors.js';
import type { Viewer } from '../identity/authenticate.js';
import type { AttachmentBlock } from '../messages/content.js';
import { kindOf } from './media-types.js';

/**
 * Returns the blocks for uploaded, unsent attachments of the viewer, in the order of `ids`. Throws an
 * `InvalidInputError` if one of them is not, or is repeated, or if there are too many.
 */
export async function attachmentBlocks(
  database: PrismaClient,
  viewer: Viewer,
  ids: readonly string[],
): Promise<AttachmentBlock[]> {
  if (ids.length === 0) return [];
  if (ids.length > maximumAttachments) throw unusable(`must be at most ${maximumAttachments}`);
  if (new Set(ids).size < ids.length) throw unusable('must not name an attachment twice');
  const where = { id: { in: [...ids] }, ownerId: viewer.userId, messageId: null, uploadedAt: { not: null } };
  const found = await database.attachment.findMany({ where, select: { id: true, mediaType: true } });
  const types = new Map(found.map(({ id, mediaType }) => [id, kindOf(mediaType)]));
  return ids.map((attachmentId) => {
    const type = types.get(attachmentId);
    if (!type)
      throw unusable(`must be your own, uploaded and not sent yet, which ${JSON.stringify(attachmentId)} is not`);
    return { type, attachmentId };
  });
}

/** The error for attachments that another message took in the meantime. */
export function takenMeanwhile(): InvalidInputError {
  return unusable('must not be sent yet; another message has just taken one of them');
}

function unusable(message: string): InvalidInputError {
  return new InvalidInputError([{ field: 'attachmentIds', message }]);
}

/** The parts of a sending statement that concern attachments. */
export interface ClaimSql {
  /** The first query of the statement, named `claimed`. */
  lock: Prisma.Sql;
  /** Whether all of them were claimed. */
  holds: Prisma.Sql;
  /** A later query, which attaches them to the message; `thread` is the thread row of the statement. */
  attach: Prisma.Sql;
}

export function claimSql(viewer: Viewer, blocks: readonly AttachmentBlock[], messageId: string): ClaimSql {
  if (blocks.length === 0) {
    return { lock: Prisma.sql`SELECT 1`, holds: Prisma.sql`true`, attach: Prisma.sql`SELECT 1` };
  }
  const ids = blocks.map((block) => block.attachmentId);
  return {
    lock: Prisma.sql`
      SELECT id FROM attachment WHERE id = ANY(${ids}) AND owner_id = ${viewer.userId} AND message_id IS NULL
        AND content IS NOT NULL ORDER BY id FOR UPDATE`,
    holds: Prisma.sql`(SELECT count(*) FROM claimed) = ${ids.length}`,
    attach: Prisma.sql`UPDATE attachment a SET message_id = ${messageId} FROM thread WHERE a.id = ANY(${ids})`,
  };
}
