/** The state of a conversation. */
import type { Message, Thread, ThreadLink } from '../../api/types.js';
import { isAwaited } from '../../threads/store/is-awaited.js';
import type { LiveAnswer } from './live-answer.js';
import { emptyWindow, type MessageWindow, withChanged } from './message-window.js';

/** A message that was sent and is not loaded yet. */
export interface PendingMessage {
  key: string;
  text: string;
  attachmentNames: string[];
  /** Null until the service has accepted the message. */
  messageId: string | null;
}

/** The message at which the reader branches the conversation, or failed to. */
export interface Branching {
  messageId: string;
  isEditing: boolean;
  problem: string | null;
}

/** Where the list scrolls to. A new object scrolls there again. */
export interface Place {
  /** The end, the boundary of a summary, or a message. */
  at: 'end' | 'boundary' | { messageId: string };
}

export interface ConversationState {
  status: 'loading' | 'ready' | 'missing' | 'failed';
  problem: string | null;
  thread: Thread | null;
  continuedFrom: ThreadLink | null;
  continuedIn: ThreadLink | null;
  /** The messages that can be scrolled through. More are loaded while scrolling. */
  shown: MessageWindow;
  /** The end of the conversation. The same object as `shown`, unless the reader is far from the end. */
  newest: MessageWindow;
  /** The summary that replaces earlier messages for the model. */
  summaryId: string | null;
  /** Whether messages replaced by a summary are shown. */
  isOlderOpen: boolean;
  place: Place;
  /** The side of `shown` that is loading, or that failed to load. */
  loading: 'older' | 'newer' | null;
  unloaded: 'older' | 'newer' | null;
  pending: PendingMessage | null;
  live: LiveAnswer | null;
  /** Of the branch that the loaded messages belong to. */
  branchVersion: number;
  branching: Branching | null;
  /** The reasoning before each answer, by the ID of the answered message, as far as it was streamed to this page. */
  thoughts: ReadonlyMap<string, string>;
  /** The answered messages whose answer began again while it was shown. */
  restarted: ReadonlySet<string>;
}

export const unopened: ConversationState = {
  status: 'loading',
  problem: null,
  thread: null,
  continuedFrom: null,
  continuedIn: null,
  shown: emptyWindow,
  newest: emptyWindow,
  summaryId: null,
  isOlderOpen: false,
  place: { at: 'end' },
  loading: null,
  unloaded: null,
  pending: null,
  live: null,
  branchVersion: 0,
  branching: null,
  thoughts: new Map(),
  restarted: new Set(),
};

/** The newest user message: the one that is being answered or will be. */
export function askedIn({ newest }: ConversationState): Message | undefined {
  return newest.messages.findLast(({ role }) => role === 'USER');
}

export function isAnswered({ messages }: MessageWindow, id: string): boolean {
  return messages.some(({ replyToId }) => replyToId === id);
}

/** Whether the followed answer is over, and the message whose answer to follow next. */
export function stageOf(state: ConversationState): { isOver: boolean; next: string | undefined } {
  const { thread, newest, live, pending } = state;
  const asked = askedIn(state)?.id;
  const isBusy = isAwaited(thread);
  const isOver = live !== null && (isAnswered(newest, live.messageId) || (!isBusy && asked === live.messageId));
  return { isOver, next: isBusy && !pending?.messageId ? asked : undefined };
}

/** Whether more messages exist on a side and would be visible. */
export function canGrow(state: ConversationState, side: 'older' | 'newer'): boolean {
  const { status, loading, unloaded, isOlderOpen, shown } = state;
  if (status !== 'ready' || loading || unloaded) return false;
  const isHidden = !isOlderOpen && shown.messages[0]?.active === false;
  return side === 'older' ? shown.hasOlder && !isHidden : shown.hasNewer;
}

/** The state after a change of one message. */
export function withMessage(
  { shown, newest }: ConversationState,
  id: string,
  change: Partial<Message>,
): Partial<ConversationState> {
  const changed = withChanged(newest, id, change);
  return { newest: changed, shown: shown === newest ? changed : withChanged(shown, id, change) };
}

/** The state after an answer has ended. Its reasoning, its restart and the reason of its failure are kept. */
export function withoutLive(state: ConversationState, { messageId, getState }: LiveAnswer): Partial<ConversationState> {
  const { thinking, failure, isRestarted } = getState();
  return {
    live: null,
    thoughts: thinking ? new Map(state.thoughts).set(messageId, thinking) : state.thoughts,
    restarted: isRestarted ? new Set(state.restarted).add(messageId) : state.restarted,
    ...(failure ? withMessage(state, messageId, { response: failure }) : {}),
  };
}
