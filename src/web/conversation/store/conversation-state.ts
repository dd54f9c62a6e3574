/** The state of a conversation. */
import type { Message, Thread, ThreadLink } from '../../api/types.js';
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
  /** The reasoning before each answer, by the ID of the answered message. It is not stored anywhere else. */
  thoughts: ReadonlyMap<string, string>;
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
  thoughts: new Map(),
};

/** The newest user message: the one that is being answered or will be. */
export function askedIn({ newest }: ConversationState): Message | undefined {
  return newest.messages.findLast(({ role }) => role === 'USER');
}

/** Whether an answer is pending according to the state of the thread. */
export function isAwaited(thread: Thread | null): boolean {
  return thread?.state === 'WAITING' || thread?.state === 'ACTIVE';
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

/** The state after an answer has ended. Its reasoning and the reason of its failure are kept. */
export function withoutLive(state: ConversationState, { messageId, getState }: LiveAnswer): Partial<ConversationState> {
  const { thinking, failure } = getState();
  return {
    live: null,
    thoughts: thinking ? new Map(state.thoughts).set(messageId, thinking) : state.thoughts,
    ...(failure ? withMessage(state, messageId, { response: failure }) : {}),
  };
}
