/**
 * Continues a thread in a new one. A thread in `error` accepts no more messages, so "a client creates a new thread
 * whose initial message summarizes the earlier conversation" (specification, States, rule 2). One statement creates the
 * thread with the summary, the user's message and its queued response, on condition that the earlier thread has not
 * changed since it was summarized.
 */
import { Prisma, type PrismaClient } from '../../../../prisma/generated/client/client.js';
import { NotFoundError, ThreadNotReadyError } from '../../../errors.js';
import { createId, isId } from '../../../ids.js';
import type { Viewer } from '../../identity/authenticate.js';
import type { ThreadStateName } from '../../threads/state.js';
import { visibleTo, visibleToSql } from '../../threads/visibility.js';
import type { ContentBlock } from '../content.js';
import { readNewest } from '../newest-messages.js';
import { type Conversation, continuationSummary, type Said, worthReading } from './continuation-summary.js';
import { type KeyedRequest, storeKeySql } from './idempotency.js';
import { userMessageSql } from './post-message.js';
import type { PostedMessage } from './posted-message.js';

export interface Continuation {
  /** The thread to continue. */
  threadId: string;
  text: string;
  /** Null: as in the earlier thread. */
  name: string | null;
  isPrivate: boolean | null;
}

/** The states without a running response, whose text the summary would miss. */
const restingStates: readonly ThreadStateName[] = ['ready', 'error', 'interrupted'];
const tries = 5;

/**
 * Creates the continuation. Throws a `NotFoundError` if the viewer cannot see the earlier thread, and a
 * `ThreadNotReadyError` while a response is queued or running in it.
 */
export async function continueThread(
  database: PrismaClient,
  request: KeyedRequest,
  continuation: Continuation,
): Promise<PostedMessage> {
  for (let attempt = 1; ; attempt += 1) {
    const earlier = await readEarlier(database, request.viewer, continuation.threadId);
    const posted = await createContinuation(database, request, { ...continuation, earlier });
    if (posted) return posted;
    // Others sent messages before each attempt, so the thread is busy with theirs, whatever state was read.
    if (attempt === tries) throw new ThreadNotReadyError('waiting');
  }
}

interface EarlierThread extends Conversation {
  state: ThreadStateName;
  lastSequence: number;
}

async function readEarlier(database: PrismaClient, viewer: Viewer, id: string): Promise<EarlierThread> {
  if (!isId('thr', id)) throw new NotFoundError('thread');
  const thread = await database.thread.findFirst({
    where: { id, AND: [visibleTo(viewer)] },
    select: { id: true, name: true, state: true, lastSequence: true },
  });
  if (!thread) throw new NotFoundError('thread');
  if (!restingStates.includes(thread.state)) throw new ThreadNotReadyError(thread.state);
  const where = { threadId: id, active: true };
  const select = { sequence: true, role: true, contents: true };
  const opening = await database.message.findFirst({ where, select, orderBy: { sequence: 'asc' } });
  const latest = await readNewest(database, { threadId: id, ...worthReading });
  return { ...thread, opening: opening && toSaid(opening), latest };
}

function toSaid(message: Omit<Said, 'contents'> & { contents: Prisma.JsonValue }): Said {
  return { ...message, contents: message.contents as unknown as ContentBlock[] };
}

/**
 * Null if the earlier thread has changed: a message was added, or the viewer can no longer see it. Its state needs no
 * check, because a response begins with a message, and each message advances the sequence.
 */
async function createContinuation(
  database: PrismaClient,
  request: KeyedRequest,
  { earlier, text, name, isPrivate }: Continuation & { earlier: EarlierThread },
): Promise<PostedMessage | null> {
  const { viewer } = request;
  const posted = { threadId: createId('thr'), messageId: createId('msg') };
  const created = await database.$queryRaw<unknown[]>`
    WITH earlier AS (
      SELECT t.id, t.name, t.is_private, date_trunc('milliseconds', clock_timestamp()) AS now FROM thread t
      WHERE t.id = ${earlier.id} AND t.last_sequence = ${earlier.lastSequence} AND ${visibleToSql(viewer)}),
    thread AS (
      INSERT INTO thread (id, organization_id, owner_id, name, is_private, continued_from_id, state, queued_at, last_sequence,
        created_at, updated_at)
      SELECT ${posted.threadId}, ${viewer.organizationId}, ${viewer.userId}, coalesce(${name}, name),
        coalesce(${isPrivate}, is_private), id, 'waiting', now, 2, now, now
      FROM earlier RETURNING id, last_sequence, updated_at),
    ${summarySql(continuationSummary(earlier))},
    ${userMessageSql(posted.messageId, text)},
    key AS (${storeKeySql(request, posted.messageId)})
    SELECT id, wake('response_queued', '')::text FROM thread`;
  return created.length > 0 ? posted : null;
}

/** Stored before the user's message, with an odd sequence number like every summary (`thread.last_sequence`). */
function summarySql(summary: string): Prisma.Sql {
  const contents: ContentBlock[] = [{ type: 'text', text: summary }];
  return Prisma.sql`
    summary AS (
      INSERT INTO message (id, thread_id, sequence, role, contents, created_at)
      SELECT ${createId('msg')}, id, last_sequence - 1, 'summary', ${JSON.stringify(contents)}::jsonb, updated_at FROM thread)`;
}
