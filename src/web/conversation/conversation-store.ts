/**
 * One conversation, live: its thread, its messages in order, and the answer that is on its way. What the service reports of
 * the thread is the signal to fetch what has been added; nobody's word is needed for what is shown, so two tabs and two
 * people see the same.
 */
import type { Outcome } from '../api/client.js';
import { threadChangedSubscription } from '../api/conversation-documents.js';
import { follow } from '../api/live.js';
import type { Message, Thread } from '../api/types.js';
import { Store } from '../ui/store.js';
import { type Load, loadAround, loadBeside, loadEnd, loadMissed, loadSummary } from './conversation-loads.js';
import { askedIn, type ConversationState, type PendingMessage, unopened } from './conversation-state.js';
import { LiveAnswer } from './live-answer.js';
import { openEnd } from './load-ahead.js';
import { withChanged } from './message-window.js';

export class ConversationStore extends Store<ConversationState> {
  /** The message to open at; null for the end. */
  #wanted: string | null = null;
  /** Fetches run one after the other: each adds to what the one before it has found. */
  #fetching: Promise<void> = Promise.resolve();

  constructor(private readonly threadId: string) {
    super(unopened);
  }

  /** Follows the conversation. Returns what ends that. */
  start(): () => void {
    const stop = follow({
      document: threadChangedSubscription,
      variables: { id: this.threadId },
      next: ({ threadChanged }) => this.putThread(threadChanged),
      refused: (code) => code === 'NOT_FOUND' && this.set({ status: 'missing' }),
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
    const known = this.getState().thread;
    this.set({ thread });
    if (known && known.updatedAt === thread.updatedAt && known.state === thread.state) return;
    if (this.getState().status === 'ready') void this.refresh();
  };

  readonly refresh = (): Promise<void> =>
    this.#queue(() => (this.getState().status === 'ready' ? this.#catchUp() : this.#open(this.#wanted)));

  /** Whoever sends a message sees it. */
  readonly sending = (pending: PendingMessage): void => {
    this.set({ pending });
    this.goToEnd();
  };

  /** The service has accepted a message: its answer is followed at once, before the message itself has been fetched. */
  readonly posted = ({ key }: PendingMessage, messageId: string): void => {
    const { pending } = this.getState();
    if (pending?.key === key) this.set({ pending: { ...pending, messageId } });
    this.#follow(messageId);
    void this.refresh();
  };

  readonly notPosted = ({ key }: PendingMessage): void => {
    if (this.getState().pending?.key === key) this.set({ pending: null });
  };

  readonly putMessage = (message: Message): void => this.set(this.#changed(message.id, message));

  readonly goToEnd = (): void => this.set({ shown: this.getState().newest, unloaded: null, place: { at: 'end' } });

  readonly setOlderOpen = (isOlderOpen: boolean): void => this.set({ isOlderOpen, place: { at: 'boundary' } });

  /** Somebody comes near the beginning, or near the end, of what is held. */
  readonly approach = (side: 'older' | 'newer'): void => {
    const { status, loading, unloaded, isOlderOpen, shown } = this.getState();
    if (status !== 'ready' || loading || unloaded) return;
    const isHidden = !isOlderOpen && shown.messages[0]?.active === false;
    if (side === 'older' ? !shown.hasOlder || isHidden : !shown.hasNewer) return;
    this.set({ loading: side });
    void this.#queue(async () => {
      const outcome = await loadBeside(this.threadId, side, this.getState().shown);
      this.set({ loading: null, ...(outcome.ok ? outcome.value(this.getState()) : { unloaded: side }) });
    });
  };

  readonly loadAgain = (): void => this.set({ unloaded: null });

  #queue(task: () => Promise<void>): Promise<void> {
    this.#fetching = this.#fetching.then(task);
    return this.#fetching;
  }

  async #open(messageId: string | null): Promise<void> {
    const { status, shown } = this.getState();
    const held = shown.messages.find(({ id }) => id === messageId);
    if (held && messageId) {
      this.set({ place: { at: { messageId } }, isOlderOpen: this.getState().isOlderOpen || !held.active });
    } else if (messageId) await this.#take(loadAround(this.threadId, messageId));
    else if (status === 'ready') this.goToEnd();
    else await this.#take(openEnd(this.threadId));
  }

  async #catchUp(): Promise<void> {
    const { newest, summaryId: known } = this.getState();
    const last = newest.messages.at(-1);
    await this.#take(last ? loadMissed(this.threadId, last.cursor) : loadEnd(this.threadId));
    const { summaryId } = this.getState();
    if (!summaryId || summaryId === known) return;
    const summary = await loadSummary(this.threadId, summaryId);
    if (summary.ok) this.set(summary.value(this.getState()));
  }

  async #take(load: Load): Promise<void> {
    const accepted = this.getState().pending?.messageId;
    const outcome = await load;
    if (!outcome.ok) return this.#fail(outcome);
    const told = this.getState().thread?.updatedAt ?? '';
    this.set(outcome.value(this.getState()));
    // What was asked for before a message was accepted knows nothing of it.
    if (accepted && accepted === this.getState().pending?.messageId) this.set({ pending: null });
    this.#settle();
    // The news of a change may come faster than what was asked for before it.
    if (told > (this.getState().thread?.updatedAt ?? '')) void this.refresh();
  }

  #fail({ code, message }: Extract<Outcome<never>, { ok: false }>): void {
    if (code === 'NOT_FOUND') this.set({ status: 'missing' });
    else if (this.getState().status === 'loading') this.set({ status: 'failed', problem: message });
  }

  /** All that there is at the end has been fetched. */
  #settle(): void {
    const { thread, newest, live, pending } = this.getState();
    const asked = askedIn(this.getState());
    const isBusy = thread?.state === 'WAITING' || thread?.state === 'ACTIVE';
    const isAnswered = live && newest.messages.some(({ replyToId }) => replyToId === live.messageId);
    if (live && (isAnswered || (!isBusy && asked?.id === live.messageId))) this.#endLive();
    this.set({ status: 'ready', problem: null });
    if (isBusy && asked && !pending?.messageId) this.#follow(asked.id);
  }

  #follow(messageId: string): void {
    if (this.getState().live?.messageId === messageId) return;
    this.getState().live?.close();
    this.set({ live: new LiveAnswer(messageId, () => void this.refresh()) });
  }

  #endLive(): void {
    const { live, thoughts } = this.getState();
    if (!live) return;
    live.close();
    const { thinking, failure } = live.getState();
    this.set({
      live: null,
      thoughts: thinking ? new Map(thoughts).set(live.messageId, thinking) : thoughts,
      ...(failure ? this.#changed(live.messageId, { response: failure }) : {}),
    });
  }

  #changed(id: string, change: Partial<Message>): Partial<ConversationState> {
    const { shown, newest } = this.getState();
    const changed = withChanged(newest, id, change);
    return { newest: changed, shown: shown === newest ? changed : withChanged(shown, id, change) };
  }
}
