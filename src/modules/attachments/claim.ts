/**
 * Attachments become part of a message by the very statement that stores it: each is locked first, so of two messages that
 * name the same one, one gets it and the other is refused; and a message that is refused leaves them as they were.
 */
import { Prisma, type PrismaClient } from '../../../prisma/generated/client/client.js';
import { InvalidInputError } from '../../errors.js';
import type { Viewer } from '../identity/authenticate.js';
import type { AttachmentBlock } from '../messages/content.js';
import { kindOf } from './media-types.js';

/** Attachments that a message may have. */
export const maximumAttachments = 10;

/**
 * The blocks for attachments of the viewer that were uploaded and not sent, in the order of `ids`. Throws an
 * `InvalidInputError` where one of them is none such, is named twice, or where there are too many.
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

/** The refusal of attachments that another message got in between. */
export function takenMeanwhile(): InvalidInputError {
  return unusable('must not be sent yet; another message has just taken one of them');
}

function unusable(message: string): InvalidInputError {
  return new InvalidInputError([{ field: 'attachmentIds', message }]);
}

/** The three places that attachments have in a posting statement. */
export interface ClaimSql {
  /** The query of the first part, called `claimed`. */
  lock: Prisma.Sql;
  /** True where all of them could be had. */
  holds: Prisma.Sql;
  /** The query of a later part, which makes them part of the message; `thread` is the statement's row of the thread. */
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
