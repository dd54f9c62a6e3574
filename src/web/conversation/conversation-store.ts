/**
 * One conversation, live: its thread, its messages in order, and the answer that is on its way. What the service reports of
 * the thread is the signal to fetch what has been added; nobody's word is needed for what is shown, so two tabs and two
 * people see the same.
 */
import type { Outcome } from '../api/client.js';
import { threadChangedSubscription } from '../api/conversation-documents.js';
import { follow } from '../api/live.js';
import type { Message, Thread } from '../api/types.js';
import { type Load, loadAround, loadBeside, loadEnd, loadMissed, loadSummary } from './conversation-loads.js';
import { askedIn, type ConversationState, type PendingMessage, unopened } from './conversation-state.js';
import { LiveAnswer } from './live-answer.js';
import { openEnd } from './load-ahead.js';
import { withChanged } from './message-window.js';

export class ConversationStore {
  #state = unopened;
  /** The message to open at; null for the end. */
  #wanted: string | null = null;
  /** Fetches run one after the other: each adds to what the one before it has found. */
  #fetching: Promise<void> = Promise.resolve();
  readonly #listeners = new Set<() => void>();

  constructor(private readonly threadId: string) {}

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  readonly getState = (): ConversationState => this.#state;

  /** Follows the conversation. Returns what ends that. */
  start(): () => void {
    const stop = follow({
      document: threadChangedSubscription,
      variables: { id: this.threadId },
      next: ({ threadChanged }) => this.putThread(threadChanged),
      refused: (code) => code === 'NOT_FOUND' && this.#set({ status: 'missing' }),
    });
    return () => {
      stop();
      this.#endLive();
    };
  }

  /** Leads to a message, or to the end, and loads what that takes. */
  readonly open = (messageId: string | null): Promise<void> => {
    this.#wanted = messageId;
    return this.#queue(() => this.#open(messageId));
  };

  /** Takes a thread as it is now, and fetches the messages that came with the change. */
  readonly putThread = (thread: Thread): void => {
    const known = this.#state.thread;
    this.#set({ thread });
    if (known && known.updatedAt === thread.updatedAt && known.state === thread.state) return;
    if (this.#state.status === 'ready') void this.refresh();
  };

  readonly refresh = (): Promise<void> =>
    this.#queue(() => (this.#state.status === 'ready' ? this.#catchUp() : this.#open(this.#wanted)));

  /** Whoever sends a message sees it. */
  setPending(pending: PendingMessage | null): void {
    this.#set({ pending });
    if (pending) this.goToEnd();
  }

  /** The service has accepted a message: its answer is followed at once, before the message itself has been fetched. */
  readonly posted = (messageId: string): void => {
    this.#follow(messageId);
    void this.refresh();
  };

  readonly putMessage = (message: Message): void => this.#set(this.#changed(message.id, message));

  readonly goToEnd = (): void => this.#set({ shown: this.#state.newest, unloaded: null, place: { at: 'end' } });

  readonly setOlderOpen = (isOlderOpen: boolean): void => this.#set({ isOlderOpen, place: { at: 'boundary' } });

  /** Somebody comes near the beginning, or near the end, of what is held. */
  readonly approach = (side: 'older' | 'newer'): void => {
    const { status, loading, unloaded, isOlderOpen, shown } = this.#state;
    if (status !== 'ready' || loading || unloaded) return;
    const isHidden = !isOlderOpen && shown.messages[0]?.active === false;
    if (side === 'older' ? !shown.hasOlder || isHidden : !shown.hasNewer) return;
    this.#set({ loading: side });
    void this.#queue(async () => {
      const outcome = await loadBeside(this.threadId, side, this.#state.shown);
      this.#set({ loading: null, ...(outcome.ok ? outcome.value(this.#state) : { unloaded: side }) });
    });
  };

  readonly loadAgain = (): void => this.#set({ unloaded: null });

  #queue(task: () => Promise<void>): Promise<void> {
    this.#fetching = this.#fetching.then(task);
    return this.#fetching;
  }

  async #open(messageId: string | null): Promise<void> {
    const { status, shown } = this.#state;
    const held = shown.messages.find(({ id }) => id === messageId);
    if (held && messageId) {
      this.#set({ place: { at: { messageId } }, isOlderOpen: this.#state.isOlderOpen || !held.active });
    } else if (messageId) await this.#take(loadAround(this.threadId, messageId));
    else if (status === 'ready') this.goToEnd();
    else await this.#take(openEnd(this.threadId));
  }

  async #catchUp(): Promise<void> {
    const { newest, summaryId: known } = this.#state;
    const last = newest.messages.at(-1);
    await this.#take(last ? loadMissed(this.threadId, last.cursor) : loadEnd(this.threadId));
    const { summaryId } = this.#state;
    if (summaryId && summaryId !== known) await this.#take(loadSummary(this.threadId, summaryId));
  }

  async #take(load: Load): Promise<void> {
    const outcome = await load;
    if (!outcome.ok) return this.#fail(outcome);
    const told = this.#state.thread?.updatedAt ?? '';
    this.#set(outcome.value(this.#state));
    this.#settle();
    // The news of a change may come faster than what was asked for before it.
    if (told > (this.#state.thread?.updatedAt ?? '')) void this.refresh();
  }

  #fail({ code, message }: Extract<Outcome<never>, { ok: false }>): void {
    if (code === 'NOT_FOUND') this.#set({ status: 'missing' });
    else if (this.#state.status === 'loading') this.#set({ status: 'failed', problem: message });
  }

  /** All that there is at the end has been fetched. */
  #settle(): void {
    const { thread, newest, live, pending } = this.#state;
    const asked = askedIn(this.#state);
    const isBusy = thread?.state === 'WAITING' || thread?.state === 'ACTIVE';
    const isAnswered = live && newest.messages.some(({ replyToId }) => replyToId === live.messageId);
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
    const { live, thoughts } = this.#state;
    if (!live) return;
    live.close();
    const { thinking, failure } = live.getState();
    this.#set({
      live: null,
      thoughts: thinking ? new Map(thoughts).set(live.messageId, thinking) : thoughts,
      ...(failure ? this.#changed(live.messageId, { response: failure }) : {}),
    });
  }

  #changed(id: string, change: Partial<Message>): Partial<ConversationState> {
    const { shown, newest } = this.#state;
    const changed = withChanged(newest, id, change);
    return { newest: changed, shown: shown === newest ? changed : withChanged(shown, id, change) };
  }

  #set(change: Partial<ConversationState>): void {
    this.#state = { ...this.#state, ...change };
    for (const listener of this.#listeners) listener();
  }
}
