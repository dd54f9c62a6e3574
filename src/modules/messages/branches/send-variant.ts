/**
 * Sends another variant of a user message: edited, or the same once more for another answer. The variant takes the place of
 * the message in the active conversation, and the message is put aside with everything that follows it. One statement does it
 * all, and queues the response like every other message; it requires that nothing has changed since the message was read.
 */
import { Prisma, type PrismaClient } from '../../../../prisma/generated/client/client.js';
import { maximumVariants } from '../../../contract.js';
import { NotFoundError } from '../../../errors.js';
import { createId } from '../../../ids.js';
import { placeOfSql, sentSql } from '../../responses/protocol/claim-at-once.js';
import { modelSql, waitSql } from '../../responses/protocol/queue.js';
import { unchangedSql, unlessOvertaken } from '../../threads/unchanged.js';
import { visibleToSql } from '../../threads/visibility.js';
import { type AttachmentBlock, type ContentBlock, textOf } from '../content.js';
import { type KeyedRequest, storeKeySql } from '../sending/idempotency.js';
import { inSlot, userMessageSql } from '../sending/post-message.js';
import type { PostedMessage } from '../sending/posted-message.js';
import { branchingStates, findVariant, unusable, type Variant } from './find-variant.js';
import { moveAttachmentsSql, putAsideSql } from './put-aside.js';

export interface VariantRequest {
  /** The user message. */
  messageId: string;
  /** The new text; null: the same text, which stays its author's. */
  text: string | null;
  /** Null: the one that the thread has. */
  model?: string | null;
}

/**
 * Sends the variant, with the attachments of the message. Throws a `NotFoundError` if the viewer cannot see the message or
 * another branch is selected, an `InvalidInputError` if it cannot have another variant, and a `ThreadNotReadyError`.
 */
export function sendVariant(
  database: PrismaClient,
  request: KeyedRequest,
  { messageId, text, model = null }: VariantRequest,
): Promise<PostedMessage> {
  return unlessOvertaken(async () => {
    const replaced = await findVariant(database, request.viewer, messageId);
    checkReplaceable(replaced, text);
    return sendVariantIf(database, request, { replaced, text, model });
  });
}

function checkReplaceable({ isOnBranch, selected, variants, contents }: Variant, text: string | null): void {
  if (!isOnBranch) throw new NotFoundError('message');
  if (!selected) throw unusable('must be part of the active conversation; a summary has replaced this message');
  if (variants >= maximumVariants) throw unusable(`has ${maximumVariants} variants, which is the maximum`);
  if (text === '' && attachmentsOf(contents).length === 0)
    throw unusable('has no attachments, so that it needs a text');
}

function attachmentsOf(contents: readonly ContentBlock[]): AttachmentBlock[] {
  return contents.filter((block) => 'attachmentId' in block);
}

/** Null, without any change, if the thread has changed since the message was read. */
export async function sendVariantIf(
  database: PrismaClient,
  request: KeyedRequest,
  { replaced, text, model = null }: Omit<VariantRequest, 'messageId'> & { replaced: Variant },
): Promise<PostedMessage | null> {
  const { viewer } = request;
  const { threadId, selected } = replaced;
  if (!selected) return null;
  const messageId = createId('msg');
  const message = {
    messageId,
    text: text ?? textOf(replaced.contents),
    attachments: attachmentsOf(replaced.contents),
    turnId: replaced.turnId ?? replaced.id,
    authorId: text === null ? replaced.authorId : viewer.userId,
  };
  const condition = Prisma.sql`${visibleToSql(viewer)} AND ${unchangedSql(replaced)}`;
  const columns = Prisma.sql`, branch_version = t.branch_version + 1 ${modelSql(model)}`;
  const isSent = await inSlot(
    database,
    request,
    { threadId, ...message },
    (slot) => Prisma.sql`
    WITH place AS MATERIALIZED (${placeOfSql(slot, threadId)}),
    thread AS (${waitSql(threadId, { from: branchingStates, condition, columns })}),
    aside AS (${putAsideSql(threadId, selected)}),
    ${userMessageSql(request, message, slot)},
    attached AS (${moveAttachmentsSql({ from: selected.id, to: messageId })}),
    key AS (${storeKeySql(request, messageId)})
    ${sentSql(null)}`,
  );
  return isSent ? { threadId, messageId } : null;
}
