/**
 * A user speaks: to an existing thread or to a new one. Either is a single statement that changes the thread's state, adds
 * the message and queues its response, so a message is never stored without its response, nor the other way round; of
 * concurrent senders exactly one finds the thread `ready` (specification, States, rule 1).
 */
import { Prisma, type PrismaClient } from '../../../prisma/generated/client/client.js';
import { NotFoundError, ThreadNotReadyError } from '../../errors.js';
import { createId, isId } from '../../ids.js';
import type { Viewer } from '../identity/authenticate.js';
import type { ContentBlock } from '../messages/content.js';
import { nowAfter } from '../threads/clock.js';
import type { ThreadStateName } from '../threads/state.js';
import { visibleTo, visibleToSql } from '../threads/visibility.js';
import { type KeyedRequest, storeKeySql } from './idempotency.js';
import type { PostedMessage } from './posted-message.js';

export interface NewThread {
  text: string;
  name: string | null;
  isPrivate: boolean;
}

/** Creates a thread with its first message, in state `waiting`. */
export async function createThread(
  database: PrismaClient,
  request: KeyedRequest,
  thread: NewThread,
): Promise<PostedMessage> {
  const { viewer } = request;
  const posted = { threadId: createId('thr'), messageId: createId('msg') };
  await database.$queryRaw`
    WITH moment AS MATERIALIZED (SELECT date_trunc('milliseconds', clock_timestamp()) AS now),
    thread AS (
      INSERT INTO thread (id, organization_id, owner_id, name, is_private, state, queued_at, last_sequence, created_at, updated_at)
      SELECT ${posted.threadId}, ${viewer.organizationId}, ${viewer.userId}, ${thread.name}, ${thread.isPrivate},
        'waiting', now, 2, now, now
      FROM moment RETURNING id, last_sequence, updated_at),
    ${userMessage(posted.messageId, thread.text)},
    key AS (${storeKeySql(request, posted.messageId)})
    SELECT id, pg_notify('response_queued', '')::text FROM thread`;
  return posted;
}

/** A message to an existing thread. */
export interface NewMessage {
  threadId: string;
  text: string;
  /** Which states accept it: `ready` alone, as in REST, or `interrupted` as well. */
  from: readonly ThreadStateName[];
}

/**
 * Sends a message to a thread that is in one of the states `from`. Throws a `NotFoundError` where the viewer sees no such thread, and a
 * `ThreadNotReadyError` where the thread is in any other state.
 */
export async function sendMessage(
  database: PrismaClient,
  request: KeyedRequest,
  { threadId, text, from }: NewMessage,
): Promise<PostedMessage> {
  const { viewer } = request;
  if (!isId('thr', threadId)) throw new NotFoundError('thread');
  const messageId = createId('msg');
  const sent = await database.$queryRaw<unknown[]>`
    WITH thread AS (
      UPDATE thread t SET state = 'waiting', queued_at = clock_timestamp(), interrupt_reason = NULL, last_sequence = t.last_sequence + 2,
        updated_at = ${nowAfter(Prisma.sql`t.updated_at`)}
      WHERE t.id = ${threadId} AND t.state = ANY(${from}::thread_state[]) AND ${visibleToSql(viewer)}
      RETURNING t.id, t.last_sequence, t.updated_at),
    ${userMessage(messageId, text)},
    key AS (${storeKeySql(request, messageId)})
    SELECT id, pg_notify('response_queued', '')::text FROM thread`;
  if (sent.length === 0) throw await refusal(database, viewer, threadId);
  return { threadId, messageId };
}

function userMessage(messageId: string, text: string): Prisma.Sql {
  const contents: ContentBlock[] = [{ type: 'text', text }];
  return Prisma.sql`
    message AS (
      INSERT INTO message (id, thread_id, sequence, role, contents, created_at)
      SELECT ${messageId}, id, last_sequence, 'user', ${JSON.stringify(contents)}::jsonb, updated_at FROM thread),
    response AS (
      INSERT INTO response (message_id, thread_id, status, created_at)
      SELECT ${messageId}, id, 'queued', updated_at FROM thread)`;
}

async function refusal(database: PrismaClient, viewer: Viewer, id: string): Promise<Error> {
  const thread = await database.thread.findFirst({ where: { id, AND: [visibleTo(viewer)] }, select: { state: true } });
  return thread ? new ThreadNotReadyError(thread.state) : new NotFoundError('thread');
}
