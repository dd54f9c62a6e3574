/**
 * What the model is told: the active messages of the thread, in order. When they outgrow the model's context, the older
 * part is replaced by one summary message that stands where that part ended; the replaced messages stay readable.
 */
import type { PrismaClient } from '../../../prisma/generated/client/client.js';
import { createId } from '../../ids.js';
import type { ContentBlock } from '../messages/content.js';
import type { ConversationMessage } from './processor.js';
import type { Run } from './protocol.js';

export interface StoredMessage extends ConversationMessage {
  sequence: number;
}

/** The active messages of the run's thread, oldest first. */
export async function loadConversation(database: PrismaClient, threadId: string): Promise<StoredMessage[]> {
  const messages = await database.message.findMany({
    where: { threadId, active: true },
    orderBy: { sequence: 'asc' },
    select: { sequence: true, role: true, contents: true },
  });
  return messages.map((message) => ({ ...message, contents: message.contents as unknown as ContentBlock[] }));
}

/** A rough size in tokens. Four characters a token is the usual estimate; providers differ, and none is asked. */
export function estimateTokens(messages: readonly ConversationMessage[]): number {
  return Math.ceil(messages.reduce((sum, message) => sum + JSON.stringify(message.contents).length, 0) / 4);
}

/**
 * How many of the oldest messages to summarize so that the rest fits into half of `contextTokens`: 0 where all fit. A part
 * ends before a user message, so that no question is cut off from its answer, and the newest message is never in it.
 */
export function olderPart(messages: readonly StoredMessage[], contextTokens: number): number {
  if (estimateTokens(messages) <= contextTokens) return 0;
  let best = 0;
  for (let length = 1; length < messages.length; length += 1) {
    if (!startsTurn(messages, length)) continue;
    best = length;
    if (estimateTokens(messages.slice(length)) <= contextTokens / 2) break;
  }
  // A summary alone is already as short as it gets.
  return best === 1 && messages[0]?.role === 'summary' ? 0 : best;
}

function startsTurn(messages: readonly StoredMessage[], index: number): boolean {
  const asks = messages[index - 1]?.contents.some((block) => block.type === 'user_get_choice');
  return messages[index]?.role === 'user' && !asks;
}

/** Stores a summary in place of all messages up to `sequence`, under the run's epoch. False where the run was lost. */
export async function storeSummary(
  database: PrismaClient,
  run: Run,
  { summary, sequence }: { summary: string; sequence: number },
): Promise<boolean> {
  const contents: ContentBlock[] = [{ type: 'text', text: summary }];
  const stored = await database.$queryRaw<unknown[]>`
    WITH fenced AS (SELECT id FROM thread WHERE id = ${run.threadId} AND state = 'active' AND epoch = ${run.epoch} FOR UPDATE),
    replaced AS (
      UPDATE message m SET active = false FROM fenced
      WHERE m.thread_id = fenced.id AND m.active AND m.sequence <= ${sequence} RETURNING m.sequence, m.created_at),
    last AS (SELECT sequence, created_at FROM replaced ORDER BY sequence DESC LIMIT 1)
    INSERT INTO message (id, thread_id, sequence, role, contents, created_at)
    SELECT ${createId('msg')}, ${run.threadId}, last.sequence + 1, 'summary', ${JSON.stringify(contents)}::jsonb, last.created_at
    FROM last RETURNING id`;
  return stored.length > 0;
}
