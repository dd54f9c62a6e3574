/**
 * The requests of a conversation and their page sizes. A conversation of any length opens with one request; every other
 * request loads one page.
 */
import { defaultPageSize, maximumPageSize } from '../../../contract.js';
import { type Outcome, runQuery } from '../../api/client.js';
import {
  type ConversationThread,
  conversationAroundQuery,
  conversationQuery,
} from '../../api/conversation-documents.js';
import { messagesQuery, summaryQuery } from '../../api/message-documents.js';
import type { ConversationState } from './conversation-state.js';
import {
  endOf,
  type MessageWindow,
  type PlacedMessage,
  windowAround,
  windowOf,
  withBranch,
  withNewer,
  withOlder,
  withSummary,
} from './message-window.js';

const aroundSize = 25;
const pageSize = 100;
/** After missing more messages than this, the conversation opens at its end again. */
const mostMissed = maximumPageSize;

/** A response, as a function from the state at its arrival to the change of that state. */
export type Load = Promise<Outcome<(state: ConversationState) => Partial<ConversationState>>>;

/** Loads the thread and the end of the conversation. */
export async function loadEnd(id: string): Load {
  const outcome = await runQuery(conversationQuery, { id, last: defaultPageSize });
  if (!outcome.ok) return outcome;
  const { thread } = outcome.value;
  const newest = windowOf(thread.messages);
  return { ok: true, value: () => ({ ...factsOf(thread), shown: newest, newest, place: { at: 'end' } }) };
}

/** Loads the thread and the messages around one of them, or the end if there is no such message. */
export async function loadAround(id: string, messageId: string): Load {
  const sizes = { around: aroundSize, last: defaultPageSize };
  const outcome = await runQuery(conversationAroundQuery, { id, messageId, position: messageId, ...sizes });
  if (!outcome.ok) return outcome.code === 'UNREACHABLE' ? outcome : loadEnd(id);
  const { thread, message } = outcome.value;
  const shown = windowAround(message, thread);
  const newest = shown.hasNewer ? windowOf(thread.messages) : shown;
  const isOlderOpen = message.active ? {} : { isOlderOpen: true };
  const change = { ...factsOf(thread), shown, newest, place: { at: { messageId } }, ...isOlderOpen };
  return { ok: true, value: () => change };
}

/**
 * Loads the thread and everything after the newest known message, or the end of another branch if that is the active one by
 * now. A reader far from the end stays where they are.
 */
export async function loadMissed(id: string, { after, branchVersion }: { after: string; branchVersion: number }): Load {
  const outcome = await runQuery(conversationQuery, { id, first: mostMissed, after });
  if (!outcome.ok) return outcome;
  const { thread } = outcome.value;
  if (thread.branchVersion !== branchVersion) return loadBranch(id);
  if (thread.messages.pageInfo.hasNextPage) return loadEndBeside(id);
  return {
    ok: true,
    value: ({ shown, newest }) => {
      const grown = withNewer(newest, thread.messages);
      return { ...factsOf(thread), newest: grown, shown: shown === newest ? grown : shown };
    },
  };
}

async function loadBranch(id: string): Load {
  const end = await loadEnd(id);
  if (!end.ok) return end;
  return {
    ok: true,
    value: (state) => {
      const { place, newest: loaded, ...facts } = end.value(state);
      const newest = withBranch(state.newest, loaded ?? state.newest);
      return { ...facts, newest, shown: newest, ...(state.shown === state.newest || !place ? {} : { place }) };
    },
  };
}

async function loadEndBeside(id: string): Load {
  const end = await loadEnd(id);
  if (!end.ok) return end;
  return {
    ok: true,
    value: (state) => {
      const { shown, place } = state;
      return { ...end.value(state), ...(shown === state.newest ? {} : { shown, place }) };
    },
  };
}

/** Loads the page before or after the shown messages. Changes nothing if other messages are shown by then. */
export async function loadBeside(id: string, side: 'older' | 'newer', window: MessageWindow): Load {
  const edge = edgeOf(window, side);
  if (!edge) return { ok: true, value: () => ({}) };
  const page = side === 'older' ? { last: pageSize, before: edge.cursor } : { first: pageSize, after: edge.cursor };
  const outcome = await runQuery(messagesQuery, { id, ...page });
  if (!outcome.ok) return outcome;
  const { messages } = outcome.value.thread;
  return {
    ok: true,
    value: ({ shown, newest }) => {
      if (edgeOf(shown, side)?.id !== edge.id) return {};
      const grown = side === 'older' ? withOlder(shown, messages) : withNewer(shown, messages);
      if (!grown.hasNewer) return { shown: grown, newest: grown };
      return { shown: grown, newest: shown === newest ? endOf(newest, defaultPageSize) : newest };
    },
  };
}

function edgeOf({ messages }: MessageWindow, side: 'older' | 'newer'): PlacedMessage | undefined {
  return side === 'older' ? messages[0] : messages.at(-1);
}

/** Loads a new summary. Messages that it replaces stay visible to a reader who sees them. */
export async function loadSummary(id: string, messageId: string): Load {
  const outcome = await runQuery(summaryQuery, { id, messageId, position: messageId });
  if (!outcome.ok) return outcome;
  const last = outcome.value.thread.replaced.edges[0]?.node;
  if (!last) return { ok: true, value: () => ({}) };
  const place = (window: MessageWindow) => withSummary(window, { summary: outcome.value.message, last });
  return {
    ok: true,
    value: ({ shown, newest, isOlderOpen }) => {
      const changed = { newest: place(newest), shown: place(shown) };
      if (shown === newest) changed.shown = changed.newest;
      return { ...changed, isOlderOpen: isOlderOpen || changed.shown !== shown };
    },
  };
}

function factsOf(conversation: ConversationThread) {
  const { messages: _messages, beginning, continuedFrom, continuedIn, ...thread } = conversation;
  const first = beginning.edges[0]?.node;
  const summaryId = first?.role === 'SUMMARY' ? first.id : null;
  const { branchVersion } = thread;
  return { thread: { ...thread, continuedFrom }, branchVersion, continuedFrom, continuedIn, summaryId };
}
