/**
 * Sends a user message to an existing or a new thread. Either is a single statement that changes the thread's state,
 * stores the message and queues its response, so neither exists without the other; of concurrent senders exactly one
 * finds the thread `ready` (specification, States, rule 1).
 */
import { Prisma, type PrismaClient } from '../../../../prisma/generated/client/client.js';
import type { ThreadStateName } from '../../../contract.js';
import { NotFoundError, ThreadNotReadyError } from '../../../errors.js';
import { createId, isId } from '../../../ids.js';
import { attachmentBlocks, claimSql, takenMeanwhile } from '../../attachments/claim.js';
import { modelSql, queueSql, waitSql } from '../../responses/protocol/queue.js';
import { openingSql } from '../../threads/opening.js';
import { visibleTo, visibleToSql } from '../../threads/visibility.js';
import { payerOf } from '../../usage/budgets/payer.js';
import type { AttachmentBlock, ContentBlock } from '../content.js';
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
 * Creates a thread with its first message, in state `waiting`. Throws an `InvalidInputError` if another message has
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
  const created = await database.$queryRaw<unknown[]>`
    WITH moment AS MATERIALIZED (SELECT date_trunc('milliseconds', clock_timestamp()) AS now),
    claimed AS MATERIALIZED (${claim.lock}),
    thread AS (
      INSERT INTO thread (id, organization_id, owner_id, name, opening, is_private, model, state, queued_at,
        last_sequence, created_at, updated_at)
      SELECT ${posted.threadId}, ${viewer.organizationId}, ${viewer.userId}, ${name}, ${opening}, ${isPrivate},
        ${model}, 'waiting', now, 2, now, now
      FROM moment WHERE ${claim.holds} RETURNING id, last_sequence, updated_at, model),
    ${userMessageSql(request, { messageId: posted.messageId, text, attachments })},
    attached AS (${claim.attach}),
    key AS (${storeKeySql(request, posted.messageId)})
    SELECT id, wake('response_queued', '')::text FROM thread`;
  if (created.length === 0) throw takenMeanwhile();
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
export async function sendMessage(
  database: PrismaClient,
  request: KeyedRequest,
  message: NewMessage,
): Promise<PostedMessage> {
  const { viewer } = request;
  const ids = (message.attachments ?? []).map(({ attachmentId }) => attachmentId);
  for (let attempt = 1; attempt <= tries; attempt += 1) {
    const posted = await sendMessageIf(database, request, message);
    if (posted) return posted;
    const where = { id: message.threadId, AND: [visibleTo(viewer)] };
    const thread = await database.thread.findFirst({ where, select: { state: true } });
    if (!thread) throw new NotFoundError('thread');
    if (!message.from.includes(thread.state)) throw new ThreadNotReadyError(thread.state);
    // The attachments were available before the statement, so the reason may be that they are taken by now.
    await attachmentBlocks(database, viewer, ids);
  }
  throw new ThreadNotReadyError('waiting');
}

/**
 * A thread that accepts the message when it is checked has become idle since the statement, so the message is sent
 * again: an error never names a state that accepts it. If others are faster each time, the thread is busy with their
 * message.
 */
const tries = 3;

/** Sends a message if its conditions hold; null, without any change, if one does not. */
export async function sendMessageIf(
  database: PrismaClient,
  request: KeyedRequest,
  { threadId, text, model = null, attachments = [], from, onlyIf = Prisma.sql`true` }: NewMessage,
): Promise<PostedMessage | null> {
  const { viewer } = request;
  if (!isId('thr', threadId)) throw new NotFoundError('thread');
  const messageId = createId('msg');
  const claim = claimSql(viewer, attachments, messageId);
  const condition = Prisma.sql`${visibleToSql(viewer)} AND ${onlyIf} AND ${claim.holds}`;
  const sent = await database.$queryRaw<unknown[]>`
    WITH claimed AS MATERIALIZED (${claim.lock}),
    thread AS (${waitSql(threadId, { from, condition, columns: modelSql(model) })}),
    ${userMessageSql(request, { messageId, text, attachments })},
    attached AS (${claim.attach}),
    key AS (${storeKeySql(request, messageId)})
    SELECT id, wake('response_queued', '')::text FROM thread`;
  return sent.length > 0 ? { threadId, messageId } : null;
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
export function userMessageSql({ viewer, traceparent }: KeyedRequest, message: StoredMessage): Prisma.Sql {
  const { messageId, text, attachments = [], turnId = null, authorId = viewer.userId } = message;
  const contents: ContentBlock[] = [...(text === '' ? [] : [{ type: 'text', text } as const]), ...attachments];
  return Prisma.sql`
    message AS (
      INSERT INTO message (id, thread_id, sequence, role, contents, author_id, turn_id, created_at)
      SELECT ${messageId}, id, last_sequence, 'user', ${JSON.stringify(contents)}::jsonb, ${authorId}, ${turnId}, updated_at
      FROM thread),
    response AS (${queueSql({ messageId, traceparent, payer: payerOf(viewer) })})`;
}
