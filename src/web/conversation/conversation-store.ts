/**
 * One conversation, live: its thread, its messages in order, and the answer that is on its way. What the service reports of
 * the thread is the signal to fetch what has been added; nobody's word is needed for what is shown, so two tabs and two
 * people see the same.
 */
import { ask } from '../api/client.js';
import {
  type ConversationThread,
  conversationQuery,
  threadChangedSubscription,
} from '../api/conversation-documents.js';
import { follow } from '../api/live.js';
import type { Message, Thread, ThreadLink } from '../api/types.js';
import { LiveAnswer } from './live-answer.js';

/** A message that was sent and is not known to be stored yet. */
export interface PendingMessage {
  key: string;
  text: string;
  attachmentNames: string[];
}

export interface ConversationState {
  status: 'loading' | 'ready' | 'missing' | 'failed';
  problem: string | null;
  thread: Thread | null;
  continuedFrom: ThreadLink | null;
  continuedIn: ThreadLink | null;
  messages: readonly Message[];
  pending: PendingMessage | null;
  live: LiveAnswer | null;
  /** What the model thought before its answers, by the messages that they answer. It is stored nowhere else. */
  thoughts: ReadonlyMap<string, string>;
}

const beginning: ConversationState = {
  status: 'loading',
  problem: null,
  thread: null,
  continuedFrom: null,
  continuedIn: null,
  messages: [],
  pending: null,
  live: null,
  thoughts: new Map(),
};

export class ConversationStore {
  #state = beginning;
  #endCursor: string | null = null;
  /** Fetches run one after the other: each adds to what the one before it has found. */
  #fetching: Promise<void> = Promise.resolve();
  readonly #listeners = new Set<() => void>();

  constructor(private readonly threadId: string) {}

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  readonly getState = (): ConversationState => this.#state;

  /** Loads the conversation and follows it. Returns what ends that. */
  start(): () => void {
    void this.refresh();
    const stop = follow({
      document: threadChangedSubscription,
      variables: { id: this.threadId },
      next: ({ threadChanged }) => this.putThread(threadChanged),
      refused: (code) => code === 'NOT_FOUND' && this.#set({ status: 'missing', messages: [] }),
    });
    return () => {
      stop();
      this.#endLive();
    };
  }

  /** Takes a thread as it is now, and fetches the messages that came with the change. */
  readonly putThread = (thread: Thread): void => {
    const known = this.#state.thread;
    this.#set({ thread });
    if (known && known.updatedAt === thread.updatedAt && known.state === thread.state) return;
    if (this.#state.status === 'ready') void this.refresh();
  };

  readonly refresh = (): Promise<void> => {
    this.#fetching = this.#fetching.then(() => this.#fetch());
    return this.#fetching;
  };

  setPending(pending: PendingMessage | null): void {
    this.#set({ pending });
  }

  /** The service has accepted a message: its answer is followed at once, before the message itself has been fetched. */
  readonly posted = (messageId: string): void => {
    this.#follow(messageId);
    void this.refresh();
  };

  readonly putMessage = (message: Message): void => {
    this.#set({ messages: this.#state.messages.map((known) => (known.id === message.id ? message : known)) });
  };

  async #fetch(): Promise<void> {
    for (;;) {
      const outcome = await ask(conversationQuery, { id: this.threadId, after: this.#endCursor });
      if (!outcome.ok) return this.#fail(outcome);
      const { thread } = outcome.value;
      if (this.#isSummarizedAnew(thread)) {
        // A summary takes the place of older messages: what is known of them is not true any more.
        this.#endCursor = null;
        this.#set({ messages: [] });
        continue;
      }
      this.#add(thread);
      if (!thread.messages.pageInfo.hasNextPage) break;
    }
    this.#settle();
  }

  #fail({ code, message }: { code: string; message: string }): void {
    if (code === 'NOT_FOUND') this.#set({ status: 'missing' });
    else if (this.#state.status === 'loading') this.#set({ status: 'failed', problem: message });
  }

  #isSummarizedAnew({ beginning: { edges } }: ConversationThread): boolean {
    const first = edges[0]?.node;
    const { messages } = this.#state;
    return messages.length > 0 && first?.role === 'SUMMARY' && !messages.some(({ id }) => id === first.id);
  }

  #add({ messages: page, continuedFrom, continuedIn, beginning: _, ...thread }: ConversationThread): void {
    const known = new Set(this.#state.messages.map(({ id }) => id));
    const added = page.edges.map(({ node }) => node).filter(({ id }) => !known.has(id));
    this.#endCursor = page.pageInfo.endCursor ?? this.#endCursor;
    const messages = added.length > 0 ? [...this.#state.messages, ...added] : this.#state.messages;
    this.#set({ thread, continuedFrom, continuedIn, messages });
  }

  /** All that there is has been fetched. */
  #settle(): void {
    const { thread, messages, live, pending } = this.#state;
    const asked = messages.findLast(({ role }) => role === 'USER');
    const isBusy = thread?.state === 'WAITING' || thread?.state === 'ACTIVE';
    const isAnswered = live && messages.some(({ replyToId }) => replyToId === live.messageId);
    if (live && (isAnswered || (!isBusy && asked?.id === live.messageId))) this.#endLive();
    if (pending && asked?.id === this.#state.live?.messageId) this.#set({ pending: null });
    this.#set({ status: 'ready', problem: null, ...(isBusy ? {} : { pending: null }) });
    if (isBusy && asked) this.#follow(asked.id);
  }

  #follow(messageId: string): void {
    if (this.#state.live?.messageId === messageId) return;
    this.#state.live?.close();
    this.#set({ live: new LiveAnswer(messageId, () => void this.refresh()) });
  }

  #endLive(): void {
    const { live, thoughts, messages } = this.#state;
    if (!live) return;
    live.close();
    const { thinking, failure } = live.getState();
    this.#set({
      live: null,
      thoughts: thinking ? new Map(thoughts).set(live.messageId, thinking) : thoughts,
      messages: failure
        ? messages.map((message) => (message.id === live.messageId ? { ...message, response: failure } : message))
        : messages,
    });
  }

  #set(change: Partial<ConversationState>): void {
    this.#state = { ...this.#state, ...change };
    for (const listener of this.#listeners) listener();
  }
}
