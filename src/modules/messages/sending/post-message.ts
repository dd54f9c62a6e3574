/**
 * Sends a user message to an existing or a new thread. Either is a single statement that changes the thread's state,
 * stores the message and queues its response, so neither exists without the other; of concurrent senders exactly one
 * finds the thread `ready` (specification, States, rule 1). Where a slot is free, it claims the response as well.
 */
import { Prisma, type PrismaClient } from '../../../../prisma/generated/client/client.js';
import type { ThreadStateName } from '../../../contract.js';
import { NotFoundError, ThreadNotReadyError } from '../../../errors.js';
import { createId } from '../../../ids.js';
import { attachmentBlocks, claimSql, takenMeanwhile } from '../../attachments/claim.js';
import {
  beginClaimed,
  placeOfNewSql,
  placeOfSql,
  queueSql,
  type SentRow,
  type Slot,
  sentColumns,
  sentSql,
  startSql,
} from '../../responses/protocol/claim-at-once.js';
import { modelSql, waitSql } from '../../responses/protocol/queue.js';
import { openingSql } from '../../threads/opening.js';
import { unlessOvertaken } from '../../threads/unchanged.js';
import { visibleTo, visibleToSql } from '../../threads/visibility.js';
import { payerOf } from '../../usage/budgets/payer.js';
import type { AttachmentBlock, ContentBlock } from '../content.js';
import { wholeSql } from '../newest-messages.js';
import { type KeyedRequest, storeKeySql } from './idempotency.js';
import type { PostedMessage } from './posted-message.js';

export interface NewThread {
  text: string;
  name: string | null;
  isPrivate: boolean;
  /** Null: the default one. */
  model?: string | null;
  attachments?: readonly AttachmentBlock[];
}

/**
 * Creates a thread with its first message, in state `waiting` or `active`. Throws an `InvalidInputError` if another message has
 * just taken one of the attachments.
 */
export async function createThread(
  database: PrismaClient,
  request: KeyedRequest,
  { text, name, isPrivate, model = null, attachments = [] }: NewThread,
): Promise<PostedMessage> {
  const { viewer } = request;
  const posted = { threadId: createId('thr'), messageId: createId('msg') };
  const claim = claimSql(viewer, attachments, posted.messageId);
  const opening = openingSql(
    text,
    attachments.map(({ attachmentId }) => attachmentId),
  );
  const isCreated = await inSlot(
    database,
    request,
    { ...posted, text, attachments },
    (slot) => Prisma.sql`
    WITH moment AS MATERIALIZED (SELECT date_trunc('milliseconds', clock_timestamp()) AS now),
    claimed AS MATERIALIZED (${claim.lock}),
    place AS MATERIALIZED (${placeOfNewSql(slot, viewer)}),
    thread AS (
      INSERT INTO thread AS t (id, organization_id, owner_id, name, opening, is_private, model, state, queued_at, epoch,
        last_sequence, created_at, updated_at)
      SELECT ${posted.threadId}, ${viewer.organizationId}, ${viewer.userId}, ${name}, ${opening}, ${isPrivate},
        ${model}, ${startSql}, 2, now, now
      FROM moment, place WHERE ${claim.holds} RETURNING ${sentColumns}),
    ${userMessageSql(request, { messageId: posted.messageId, text, attachments }, slot)},
    attached AS (${claim.attach}),
    key AS (${storeKeySql(request, posted.messageId)})
    ${sentSql(Prisma.sql`SELECT '[]'::json`)}`,
  );
  if (!isCreated) throw takenMeanwhile();
  return posted;
}

/** A message to an existing thread. */
export interface NewMessage {
  threadId: string;
  text: string;
  /** Null: the one that the thread has. */
  model?: string | null;
  attachments?: readonly AttachmentBlock[];
  /** The states that accept it: only `ready`, as in REST, or also `interrupted`. */
  from: readonly ThreadStateName[];
  /** A further condition, as SQL in which `t` is the thread. */
  onlyIf?: Prisma.Sql;
}

/**
 * Sends a message to a thread in one of the states `from`. Throws a `NotFoundError` if the viewer cannot see the
 * thread, an `InvalidInputError` if another message has just taken one of the attachments, and a `ThreadNotReadyError`
 * if the thread is in another state.
 */
export function sendMessage(
  database: PrismaClient,
  request: KeyedRequest,
  message: NewMessage,
): Promise<PostedMessage> {
  const { viewer } = request;
  const ids = (message.attachments ?? []).map(({ attachmentId }) => attachmentId);
  return unlessOvertaken(async () => {
    const posted = await sendMessageIf(database, request, message);
    if (posted) return posted;
    const where = { id: message.threadId, AND: [visibleTo(viewer)] };
    const thread = await database.thread.findFirst({ where, select: { state: true } });
    if (!thread) throw new NotFoundError('thread');
    if (!message.from.includes(thread.state)) throw new ThreadNotReadyError(thread.state);
    // The attachments were available before the statement, so the reason may be that they are taken by now.
    await attachmentBlocks(database, viewer, ids);
    // It has become idle since the statement, so the message is sent again: an error never names a state that accepts it.
    return null;
  });
}

/** Sends a message if its conditions hold; null, without any change, if one does not. */
export async function sendMessageIf(
  database: PrismaClient,
  request: KeyedRequest,
  { threadId, text, model = null, attachments = [], from, onlyIf = Prisma.sql`true` }: NewMessage,
): Promise<PostedMessage | null> {
  const { viewer } = request;
  const messageId = createId('msg');
  const claim = claimSql(viewer, attachments, messageId);
  const condition = Prisma.sql`${visibleToSql(viewer)} AND ${onlyIf} AND ${claim.holds}`;
  const isSent = await inSlot(
    database,
    request,
    { threadId, messageId, text, attachments },
    (slot) => Prisma.sql`
    WITH claimed AS MATERIALIZED (${claim.lock}),
    place AS MATERIALIZED (${placeOfSql(slot, threadId)}),
    earlier AS (${slot ? wholeSql({ threadId, bytes: slot.conversationBytes }) : Prisma.sql`SELECT NULL::json`}),
    thread AS (${waitSql(threadId, { from, condition, columns: modelSql(model) })}),
    ${userMessageSql(request, { messageId, text, attachments }, slot)},
    attached AS (${claim.attach}),
    key AS (${storeKeySql(request, messageId)})
    ${sentSql(Prisma.sql`SELECT * FROM earlier`)}`,
  );
  return isSent ? { threadId, messageId } : null;
}

/** Executes a sending statement, in a slot if one is free. False if a condition does not hold. */
export function inSlot(
  database: PrismaClient,
  { viewer, traceparent, slots }: KeyedRequest,
  message: PostedMessage & StoredMessage,
  statement: (slot: Slot | null) => Prisma.Sql,
): Promise<boolean> {
  return slots.reserve(async (slot) => {
    const [row] = await database.$queryRaw<SentRow[]>(statement(slot));
    if (!row) return false;
    const { threadId, messageId } = message;
    const contents = contentsOf(message);
    beginClaimed(slot, row, { threadId, messageId, traceparent, payer: payerOf(viewer), contents });
    return true;
  });
}

interface StoredMessage {
  messageId: string;
  text: string;
  attachments?: readonly AttachmentBlock[];
  /** The oldest variant of the message; null unless it is a variant of another one. */
  turnId?: string | null;
  /** Who wrote it, if that is not the caller; null if nobody knows. */
  authorId?: string | null;
}

/** The parts of a sending statement that store the message and queue its response; `thread` is its thread row. */
export function userMessageSql(
  { viewer, traceparent }: KeyedRequest,
  message: StoredMessage,
  slot: Slot | null,
): Prisma.Sql {
  const { messageId, turnId = null, authorId = viewer.userId } = message;
  const contents = JSON.stringify(contentsOf(message));
  return Prisma.sql`
    message AS (
      INSERT INTO message (id, thread_id, sequence, role, contents, author_id, turn_id, created_at)
      SELECT ${messageId}, id, last_sequence, 'user', ${contents}::jsonb, ${authorId}, ${turnId}, updated_at
      FROM thread),
    response AS (${queueSql({ messageId, traceparent, payer: payerOf(viewer) }, slot)})`;
}

function contentsOf({ text, attachments = [] }: StoredMessage): ContentBlock[] {
  return [...(text === '' ? [] : [{ type: 'text', text } as const]), ...attachments];
}
