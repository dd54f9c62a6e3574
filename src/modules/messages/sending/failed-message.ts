/**
 * The message whose response failed, to be sent again. Its attachments are copied, because an attachment belongs to one
 * message, and the failed thread keeps its own.
 */
import { Prisma, type PrismaClient } from '../../../../prisma/generated/client/client.js';
import { InvalidInputError } from '../../../errors.js';
import { createId } from '../../../ids.js';
import type { Viewer } from '../../identity/authenticate.js';
import { type AttachmentBlock, type ContentBlock, textOf } from '../content.js';

export interface FailedMessage {
  sequence: number;
  text: string;
  attachments: AttachmentCopy[];
}

/** The block of the copy, and the attachment to copy. */
interface AttachmentCopy {
  block: AttachmentBlock;
  from: string;
}

/** Throws an `InvalidInputError` if no response of the thread has failed. The caller has checked that it is visible. */
export async function readFailedMessage(database: PrismaClient, threadId: string): Promise<FailedMessage> {
  const failed = await database.response.findFirst({
    where: { threadId, status: 'failed' },
    select: { message: { select: { sequence: true, contents: true, attachments: { select: { id: true } } } } },
  });
  if (!failed) {
    throw new InvalidInputError([{ field: 'text', message: 'is required unless a response of the thread has failed' }]);
  }
  const { sequence, contents, attachments } = failed.message;
  const blocks = contents as unknown as ContentBlock[];
  const known = new Set(attachments.map(({ id }) => id));
  const copies = blocks.flatMap((block) =>
    'attachmentId' in block && known.has(block.attachmentId)
      ? [{ block: { ...block, attachmentId: createId('att') }, from: block.attachmentId }]
      : [],
  );
  return { sequence, text: textOf(blocks), attachments: copies };
}

/** The query of a sending statement that copies the attachments to the message; `thread` is its thread row. */
export function copySql({ userId }: Viewer, copies: readonly AttachmentCopy[], messageId: string): Prisma.Sql {
  const from = copies.map((copy) => copy.from);
  const to = copies.map(({ block }) => block.attachmentId);
  return Prisma.sql`
    INSERT INTO attachment (id, owner_id, name, media_type, size, content, digest, message_id, created_at, uploaded_at)
    SELECT copy.id, ${userId}, a.name, a.media_type, a.size, a.content, a.digest, ${messageId}, thread.updated_at, thread.updated_at
    FROM thread, unnest(${from}::text[], ${to}::text[]) AS copy (from_id, id) JOIN attachment a ON a.id = copy.from_id`;
}
