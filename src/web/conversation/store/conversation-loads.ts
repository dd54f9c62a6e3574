/**
 * The requests of a conversation and their page sizes. A conversation of any length opens with one request; every other
 * request loads one page.
 */
import { defaultPageSize, maximumPageSize } from '../../../contract.js';
import { type Outcome, runQuery } from '../../api/client.js';
import { conversationAroundQuery, conversationQuery } from '../../api/conversation-documents.js';
import { messagesQuery, summaryQuery } from '../../api/message-documents.js';
import type { Loaded } from './conversation-event.js';
import type { MessageWindow, PlacedMessage, Side } from './message-window.js';

const aroundSize = 25;
const pageSize = 100;
/** With more messages to load than this, the conversation opens at its end again. */
const mostMissed = maximumPageSize;

export type Load = Promise<Outcome<Loaded>>;

/** Loads the thread and the end of the conversation. */
export async function loadEnd(id: string): Load {
  const outcome = await runQuery(conversationQuery, { id, last: defaultPageSize });
  return outcome.ok ? { ok: true, value: { type: 'opened', thread: outcome.value.thread } } : outcome;
}

let ahead: { id: string; load: Load } | null = null;

/** Loads the end of the conversation that the address names before it is known who is signed in, which saves a round trip. */
export function loadAhead(path: string): void {
  const id = /^\/threads\/([^/]+)\/?$/.exec(path)?.[1];
  if (id) ahead = { id, load: loadEnd(id) };
}

/** Loads the end: the response of the early request if it succeeded, else a new request. */
export async function openEnd(id: string): Load {
  const early = ahead?.id === id ? await ahead.load : null;
  ahead = null;
  return early?.ok ? early : loadEnd(id);
}

/** Loads the thread and the messages around one of them, or the end if there is no such message. */
export async function loadAround(id: string, messageId: string): Load {
  const sizes = { around: aroundSize, last: defaultPageSize };
  const outcome = await runQuery(conversationAroundQuery, { id, messageId, position: messageId, ...sizes });
  if (outcome.ok) return { ok: true, value: { type: 'opened', ...outcome.value } };
  return outcome.code === 'UNREACHABLE' ? outcome : loadEnd(id);
}

/**
 * Loads the thread and everything from the newest known message on, or the end of the conversation if that is too much or another
 * branch is the active one by now. The known message is loaded again because it tells how its answer ended, also if that ended
 * without a word.
 */
export async function loadMissed(id: string, { messages, hasOlder }: MessageWindow, branchVersion: number): Load {
  const [before, newest] = [messages.at(-2), messages.at(-1)];
  if (newest && (before || !hasOlder)) {
    const outcome = await runQuery(conversationQuery, { id, first: mostMissed, after: before?.cursor ?? null });
    if (!outcome.ok) return outcome;
    const { thread } = outcome.value;
    const isWhole = thread.branchVersion === branchVersion && !thread.messages.pageInfo.hasNextPage;
    if (isWhole) return { ok: true, value: { type: 'caughtUp', thread, from: newest.id } };
  }
  const end = await runQuery(conversationQuery, { id, last: defaultPageSize });
  return end.ok ? { ok: true, value: { type: 'caughtUp', thread: end.value.thread, from: null } } : end;
}

/** Loads the page before or after a message. */
export function loadBeside(id: string, side: Side, { cursor }: PlacedMessage) {
  const page = side === 'older' ? { last: pageSize, before: cursor } : { first: pageSize, after: cursor };
  return runQuery(messagesQuery, { id, ...page });
}

/** Loads a summary, and the last message that it replaced. */
export function loadSummary(id: string, messageId: string) {
  return runQuery(summaryQuery, { id, messageId, position: messageId });
}
