/** The state of a conversation. Only `reduce` makes a new one. */
import type { ResponseEvent } from '../../api/conversation-documents.js';
import type { Message, ResponseOutcome, Thread, ThreadLink } from '../../api/types.js';
import { isAwaited } from '../../threads/store/thread-state.js';
import { emptyWindow, type MessageWindow, type Side } from './message-window.js';

/** A message that was sent and is not loaded yet. */
export interface PendingMessage {
  key: string;
  text: string;
  attachmentNames: readonly string[];
  /** Null until the service has accepted the message, or it was found among the loaded ones. */
  messageId: string | null;
  /** What there was before it cut off the end of its branch; null if it follows the end. */
  cut: Pick<ConversationState, 'branchVersion' | 'shown' | 'newest'> | null;
  /** The newest message when it was sent. */
  after: string | null;
}

/** The answer that is being streamed. */
export interface LiveAnswer {
  /** The message that it answers. */
  messageId: string;
  /** The cursor of the last event, after which the stream resumes. */
  position: string | null;
  status: 'QUEUED' | 'RUNNING' | 'ENDED';
  text: string;
  thinking: string;
  /** Whether text that was shown became void, because another attempt replaced it. */
  isRestarted: boolean;
  /** That the model failed and is called once more. */
  retry: Pick<Extract<ResponseEvent, { __typename: 'ResponseRetrying' }>, 'call' | 'maxCalls' | 'message'> | null;
  /** The reason if the answer failed or was interrupted. */
  failure: ResponseOutcome | null;
}

/** The message at which the reader branches the conversation, or failed to. */
export interface Branching {
  messageId: string;
  isEditing: boolean;
  problem: string | null;
  /** The version under which the edit is stored, if another one has taken its place. */
  draftId?: string;
}

/** Where the list scrolls to. A new object scrolls there again. */
export interface Place {
  /** The end, the boundary of a summary, or a message. */
  at: 'end' | 'boundary' | { messageId: string };
}

export interface ConversationState {
  /** Whether the conversation is on the page. Its loads are of no interest before and after that. */
  isOpen: boolean;
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
  loading: Side | null;
  unloaded: Side | null;
  /** In the order in which they were sent. */
  pending: readonly PendingMessage[];
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
  ...{ isOpen: false, status: 'loading', problem: null, thread: null, continuedFrom: null, continuedIn: null },
  ...{ shown: emptyWindow, newest: emptyWindow, summaryId: null, isOlderOpen: false, place: { at: 'end' } },
  ...{ loading: null, unloaded: null, pending: [], live: null, branchVersion: 0, branching: null },
  ...{ thoughts: new Map(), restarted: new Set() },
};

/** Whether there is something to show: what was just sent is shown before the conversation is loaded. */
export function isShowable({ status, pending }: ConversationState): boolean {
  return status === 'ready' || pending.length > 0;
}

/** The newest user message: the one that is being answered or will be. */
export function askedIn({ newest }: ConversationState): Message | undefined {
  return newest.messages.findLast(({ role }) => role === 'USER');
}

export function isAnswered({ messages }: MessageWindow, id: string): boolean {
  return messages.some(({ replyToId }) => replyToId === id);
}

/**
 * Whether the assistant is answering. An answer is over when its stream ends, even if it has not been loaded yet, so that
 * the next message does not ask whether to interrupt it.
 */
export function isBusy(thread: Thread | null, live: LiveAnswer | null): boolean {
  return (live !== null && live.status !== 'ENDED') || isAwaited(thread);
}
