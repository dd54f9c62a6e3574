/**
 * Continues a thread in a new one. A thread in `error` accepts no more messages, so "a client creates a new thread
 * whose initial message summarizes the earlier conversation" (specification, States, rule 2). One statement creates the
 * thread with the summary, the user's message and its queued response, on condition that the earlier thread has not
 * changed since it was summarized.
 */
import { Prisma, type PrismaClient } from '../../../../prisma/generated/client/client.js';
import type { ThreadStateName } from '../../../contract.js';
import { NotFoundError, ThreadNotReadyError } from '../../../errors.js';
import { createId } from '../../../ids.js';
import type { Viewer } from '../../identity/authenticate.js';
import { placeOfNewSql, sentColumns, sentSql, startSql } from '../../responses/protocol/claim-at-once.js';
import { orNotFound } from '../../sql-state.js';
import { openingSql } from '../../threads/opening.js';
import { type ConversationVersion, unchangedSql, unlessOvertaken } from '../../threads/unchanged.js';
import { visibleTo, visibleToSql } from '../../threads/visibility.js';
import type { ContentBlock } from '../content.js';
import { readNewest } from '../newest-messages.js';
import { type Conversation, continuationSummary, readLimits, type TranscriptEntry } from './continuation-summary.js';
import { copySql, type FailedMessage, readFailedMessage } from './failed-message.js';
import { type KeyedRequest, storeKeySql } from './idempotency.js';
import { inSlot, userMessageSql } from './post-message.js';
import type { PostedMessage } from './posted-message.js';

export interface Continuation {
  /** The thread to continue. */
  threadId: string;
  /** Null: the message whose response failed is sent again. */
  text: string | null;
  /** Null: as in the earlier thread. */
  name: string | null;
  isPrivate: boolean | null;
  model?: string | null;
}

/** The states without a running response, whose text the summary would miss. */
const restingStates: readonly ThreadStateName[] = ['ready', 'error', 'interrupted'];

/**
 * Creates the continuation. Throws a `NotFoundError` if the viewer cannot see the earlier thread, a
 * `ThreadNotReadyError` while a response is queued or running in it, and an `InvalidInputError` if no text is given and
 * no response has failed.
 */
export function continueThread(
  database: PrismaClient,
  request: KeyedRequest,
  continuation: Continuation,
): Promise<PostedMessage> {
  return unlessOvertaken(async () => {
    const read = await readEarlier(database, request.viewer, continuation.threadId);
    const failed = continuation.text === null ? await readFailedMessage(database, read.id) : null;
    const message = { text: continuation.text ?? '', attachments: [], ...failed };
    const earlier = failed ? upTo(read, failed.sequence) : read;
    return createContinuation(database, request, { ...continuation, message, earlier });
  });
}

type Message = Omit<FailedMessage, 'sequence'>;

interface EarlierThread extends Conversation, ConversationVersion {
  state: ThreadStateName;
}

async function readEarlier(database: PrismaClient, viewer: Viewer, id: string): Promise<EarlierThread> {
  const thread = await database.thread.findFirst({
    where: { id, AND: [visibleTo(viewer)] },
    select: { id: true, name: true, state: true, lastSequence: true, branchVersion: true },
  });
  if (!thread) throw new NotFoundError('thread');
  if (!restingStates.includes(thread.state)) throw new ThreadNotReadyError(thread.state);
  const where = { threadId: id, active: true };
  const select = { sequence: true, role: true, contents: true };
  const opening = await database.message.findFirst({ where, select, orderBy: { sequence: 'asc' } });
  const latest = await readNewest(database, { threadId: id, ...readLimits });
  return { ...thread, opening: opening && toEntry(opening), latest };
}

/** The conversation before a message, which is sent again and need not be summarized. */
function upTo(thread: EarlierThread, sequence: number): EarlierThread {
  const isBefore = (said: TranscriptEntry) => said.sequence < sequence;
  const { opening, latest } = thread;
  return { ...thread, opening: opening && isBefore(opening) ? opening : null, latest: latest.filter(isBefore) };
}

function toEntry(message: Omit<TranscriptEntry, 'contents'> & { contents: Prisma.JsonValue }): TranscriptEntry {
  return { ...message, contents: message.contents as unknown as ContentBlock[] };
}

/**
 * Null if the earlier thread has changed: a message was added, another branch was selected, or the viewer can no longer
 * see it. Its state needs no check, because a response begins with a message, and each message advances the sequence.
 */
async function createContinuation(
  database: PrismaClient,
  request: KeyedRequest,
  { earlier, message, name, isPrivate, model = null }: Continuation & { earlier: EarlierThread; message: Message },
): Promise<PostedMessage | null> {
  const { viewer } = request;
  const posted = { threadId: createId('thr'), messageId: createId('msg') };
  const { messageId } = posted;
  const { text, attachments } = message;
  const sent = { ...posted, text, attachments: attachments.map(({ block }) => block) };
  const created = inSlot(
    database,
    request,
    sent,
    (slot) => Prisma.sql`
    WITH earlier AS (
      SELECT t.id, t.name, t.is_private, t.model, t.instructions, t.tags, t.tag_keys, date_trunc('milliseconds', clock_timestamp()) AS now FROM thread t
      WHERE t.id = ${earlier.id} AND ${unchangedSql(earlier)} AND ${visibleToSql(viewer)}),
    place AS MATERIALIZED (${placeOfNewSql(slot, viewer)}),
    thread AS (
      INSERT INTO thread AS t (id, organization_id, owner_id, name, opening, is_private, model, instructions, tags, tag_keys, continued_from_id,
        state, queued_at, epoch, last_sequence, created_at, updated_at)
      SELECT ${posted.threadId}, ${viewer.organizationId}, ${viewer.userId}, coalesce(${name}, name), ${openingSql(text)},
        coalesce(${isPrivate}, is_private), coalesce(${model}, model), instructions, tags, tag_keys, id, ${startSql}, 2, now, now
      FROM earlier, place RETURNING ${sentColumns}),
    summary AS (${earlier.opening ? summarySql(continuationSummary(earlier)) : Prisma.sql`SELECT 1`}),
    ${userMessageSql(request, sent, slot)},
    attached AS (${copySql(viewer, attachments, messageId)}),
    key AS (${storeKeySql(request, messageId)})
    ${sentSql(null)}`,
  );
  return (await orNotFound('thread', created)) ? posted : null;
}

/** Stored before the user's message, with an odd sequence number like every summary (`thread.last_sequence`). */
function summarySql(summary: string): Prisma.Sql {
  const contents: ContentBlock[] = [{ type: 'text', text: summary }];
  return Prisma.sql`
    INSERT INTO message (id, thread_id, sequence, role, contents, created_at)
    SELECT ${createId('msg')}, id, last_sequence - 1, 'summary', ${JSON.stringify(contents)}::jsonb, updated_at FROM thread`;
}
