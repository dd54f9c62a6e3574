/**
 * Prepares the conversation for the model: the active messages of the thread, in order. When they exceed the model's
 * context, the older part is replaced with one summary message; the replaced messages remain readable. Of a much larger
 * thread only the newest part is read. Its summary replaces what it covers, and each further response covers another
 * part.
 */
import type { Logger } from 'pino';
import type { PrismaClient } from '../../../../prisma/generated/client/client.js';
import { createId } from '../../../ids.js';
import type { Span } from '../../../platform/tracing/span.js';
import type { ContentBlock } from '../../messages/content.js';
import { type ActiveMessage, type NewestConversation, readNewestConversation } from '../../messages/newest-messages.js';
import { addUsage, type TokensUsed } from '../../usage/add-usage.js';
import type { ClaimedResponse } from '../protocol/claimed-response.js';
import type { CallBudget } from './call-budget.js';
import { headersOf, startModelSpan } from './model-span.js';
import { type ConversationMessage, errorCodeOf, type Processor } from './processor.js';
import { persist } from './retry.js';
import { wellFormed } from './well-formed-text.js';

/** Executes a statement when it is its turn. */
export type StatementTurns = <T>(statement: () => Promise<T>) => Promise<T>;

export interface PrepareOptions {
  database: PrismaClient;
  inTurn: StatementTurns;
  processor: Processor;
  contextTokens: number;
  /** A summary takes one of them, and leaves one for the answer. */
  calls: CallBudget;
  /** The response's span; null if it is not traced. */
  span: Span | null;
  logger: Logger;
  signal: AbortSignal;
}

/**
 * The conversation to send, summarized first if it exceeds the context; it is read unless it is `known`. A failed summary
 * changes nothing.
 */
export async function prepareConversation(
  options: PrepareOptions,
  run: ClaimedResponse,
  known: NewestConversation | null = null,
): Promise<NewestConversation> {
  const { database, inTurn } = options;
  const newest = { threadId: run.threadId, bytes: readBytesOf(options.contextTokens) };
  const read = known ?? (await persist(options, () => inTurn(() => readNewestConversation(database, newest))));
  const { messages: conversation, instructions } = read;
  const end = olderPart(conversation, options.contextTokens);
  const [older, rest] = [conversation.slice(0, end), conversation.slice(end)];
  const [first, last] = [older[0], older.at(-1)];
  if (!first || !last || options.calls.left < 2) return read;
  try {
    const summary = wellFormed(await summarize(options, run, older));
    await storeSummary(database, run, { summary, first: first.sequence, last: last.sequence });
    // Not read again, because unread messages before the summary would only take up room.
    const contents: ContentBlock[] = [{ type: 'text', text: summary }];
    return { messages: [{ sequence: last.sequence + 1, role: 'summary', contents }, ...rest], instructions };
  } catch (error) {
    const { threadId, messageId } = run;
    options.logger.warn({ threadId, messageId, err: error }, 'the conversation could not be summarized');
    return read;
  }
}

async function summarize(
  options: PrepareOptions,
  { threadId, payer }: ClaimedResponse,
  conversation: ActiveMessage[],
): Promise<string> {
  const { database, inTurn, processor, calls, span, signal } = options;
  const call = startModelSpan(span, processor.model);
  let used: TokensUsed = { threadId, payer, model: processor.model, inputTokens: null, outputTokens: null };
  const onUsage = (usage: Pick<TokensUsed, 'inputTokens' | 'outputTokens'>) => {
    const { inputTokens, outputTokens } = usage;
    used = { ...used, inputTokens, outputTokens };
  };
  try {
    const summary = await processor.summarize({ conversation, calls, headers: headersOf(call), onUsage, signal });
    call?.end();
    return summary;
  } catch (error) {
    call?.end({ error: signal.aborted ? null : errorCodeOf(error) });
    throw error;
  } finally {
    await persist(options, () => inTurn(() => addUsage(database, used)));
  }
}

/**
 * Bytes of JSON to read, estimated like `estimateTokens`: twice the context, so that the older part of a conversation
 * that has just exceeded it is read completely.
 */
export function readBytesOf(contextTokens: number): number {
  return 2 * bytesPerToken * contextTokens;
}

const bytesPerToken = 4;

/** The tokens of a conversation, estimated. */
export function estimatedTokens(messages: readonly ConversationMessage[]): number {
  return messages.reduce((sum, message) => sum + estimateTokens(message), 0);
}

/**
 * Estimates the tokens without asking the provider: a quarter of the UTF-8 bytes. That is the usual four characters per
 * token for English, and close for scripts with more bytes per character.
 */
function estimateTokens({ contents }: ConversationMessage): number {
  return Math.ceil(Buffer.byteLength(JSON.stringify(contents)) / bytesPerToken);
}

/**
 * The number of oldest messages to summarize so that the rest fits into half of `contextTokens`; 0 if all fit. The part
 * ends before a user message, so that no question loses its answer, and never includes the newest message.
 */
export function olderPart(messages: readonly ConversationMessage[], contextTokens: number): number {
  const sizes = messages.map(estimateTokens);
  let rest = sizes.reduce((sum, size) => sum + size, 0);
  if (rest <= contextTokens) return 0;
  let best = 0;
  for (const [index, size] of sizes.entries()) {
    if (index > 0 && startsTurn(messages, index)) {
      best = index;
      if (rest <= contextTokens / 2) break;
    }
    rest -= size;
  }
  // A single summary cannot be shortened further.
  return best === 1 && messages[0]?.role === 'summary' ? 0 : best;
}

function startsTurn(messages: readonly ConversationMessage[], index: number): boolean {
  const asks = messages[index - 1]?.contents.some((block) => block.type === 'user_get_choice');
  return messages[index]?.role === 'user' && !asks;
}

/** Replaces the messages from `first` to `last` with a summary, under the run's epoch. False if the run was lost. */
export async function storeSummary(
  database: PrismaClient,
  run: ClaimedResponse,
  { summary, first, last }: { summary: string; first: number; last: number },
): Promise<boolean> {
  const contents: ContentBlock[] = [{ type: 'text', text: summary }];
  const stored = await database.$queryRaw<unknown[]>`
    WITH fenced AS (SELECT id FROM thread WHERE id = ${run.threadId} AND state = 'active' AND epoch = ${run.epoch} FOR UPDATE),
    replaced AS (
      UPDATE message m SET active = false FROM fenced
      WHERE m.thread_id = fenced.id AND m.active AND m.sequence BETWEEN ${first} AND ${last} RETURNING m.sequence, m.created_at),
    last AS (SELECT sequence, created_at FROM replaced ORDER BY sequence DESC LIMIT 1)
    INSERT INTO message (id, thread_id, sequence, role, contents, created_at)
    SELECT ${createId('msg')}, ${run.threadId}, last.sequence + 1, 'summary', ${JSON.stringify(contents)}::jsonb, last.created_at
    FROM last RETURNING id`;
  return stored.length > 0;
}
