/** What is known of a conversation, for those who show it. */
import type { Message, Thread, ThreadLink } from '../../api/types.js';
import type { LiveAnswer } from './live-answer.js';
import { emptyWindow, type MessageWindow, withChanged } from './message-window.js';

/** A message that was sent, until what is fetched contains it. */
export interface PendingMessage {
  key: string;
  text: string;
  attachmentNames: string[];
  /** Known when the service has accepted it. */
  messageId: string | null;
}

/** Where the reader is led; a new object leads there again. */
export interface Place {
  /** The end, the boundary that a summary makes, or a message. */
  at: 'end' | 'boundary' | { messageId: string };
}

export interface ConversationState {
  status: 'loading' | 'ready' | 'missing' | 'failed';
  problem: string | null;
  thread: Thread | null;
  continuedFrom: ThreadLink | null;
  continuedIn: ThreadLink | null;
  /** What one can scroll through. More of it comes as one does. */
  shown: MessageWindow;
  /** The end of the conversation. The same object as `shown`, unless one reads far from the end. */
  newest: MessageWindow;
  /** The summary with which the conversation begins for the model. */
  summaryId: string | null;
  /** True: what a summary replaced is shown too. */
  isOlderOpen: boolean;
  place: Place;
  /** What of `shown` is being loaded, or did not load. */
  loading: 'older' | 'newer' | null;
  unloaded: 'older' | 'newer' | null;
  pending: PendingMessage | null;
  live: LiveAnswer | null;
  /** What the model thought before its answers, by the messages that they answer. It is stored nowhere else. */
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

/** The newest message of a person: the one that is answered, or will be. */
export function askedIn({ newest }: ConversationState): Message | undefined {
  return newest.messages.findLast(({ role }) => role === 'USER');
}

/** Whether an answer is on its way, as far as the thread says. */
export function isAwaited(thread: Thread | null): boolean {
  return thread?.state === 'WAITING' || thread?.state === 'ACTIVE';
}

export function isAnswered({ messages }: MessageWindow, id: string): boolean {
  return messages.some(({ replyToId }) => replyToId === id);
}

/** Whether the answer that was followed is over, and the message whose answer is to be followed next. */
export function stageOf(state: ConversationState): { isOver: boolean; next: string | undefined } {
  const { thread, newest, live, pending } = state;
  const asked = askedIn(state)?.id;
  const isBusy = isAwaited(thread);
  const isOver = live !== null && (isAnswered(newest, live.messageId) || (!isBusy && asked === live.messageId));
  return { isOver, next: isBusy && !pending?.messageId ? asked : undefined };
}

/** Whether more is there to be loaded at one side, and wanted: what is hidden is not. */
export function canGrow(state: ConversationState, side: 'older' | 'newer'): boolean {
  const { status, loading, unloaded, isOlderOpen, shown } = state;
  if (status !== 'ready' || loading || unloaded) return false;
  const isHidden = !isOlderOpen && shown.messages[0]?.active === false;
  return side === 'older' ? shown.hasOlder && !isHidden : shown.hasNewer;
}

/** What changes where a message does. */
export function withMessage(
  { shown, newest }: ConversationState,
  id: string,
  change: Partial<Message>,
): Partial<ConversationState> {
  const changed = withChanged(newest, id, change);
  return { newest: changed, shown: shown === newest ? changed : withChanged(shown, id, change) };
}

/** What is left of an answer that is on its way no more: what the model thought, and why it failed. */
export function withoutLive(state: ConversationState, { messageId, getState }: LiveAnswer): Partial<ConversationState> {
  const { thinking, failure } = getState();
  return {
    live: null,
    thoughts: thinking ? new Map(state.thoughts).set(messageId, thinking) : state.thoughts,
    ...(failure ? withMessage(state, messageId, { response: failure }) : {}),
  };
}
