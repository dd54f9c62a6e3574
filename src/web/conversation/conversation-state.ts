/** What is known of a conversation, for those who show it. */
import type { Message, Thread, ThreadLink } from '../api/types.js';
import type { LiveAnswer } from './live-answer.js';
import { emptyWindow, type MessageWindow } from './message-window.js';

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
