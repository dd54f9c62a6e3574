/**
 * One conversation, live: its thread, its messages in order, and the answer that is on its way. What the service reports of
 * the thread is the signal to fetch what has been added; nobody's word is needed for what is shown, so two tabs and two
 * people see the same.
 */
import type { Outcome } from '../../api/client.js';
import { threadChangedSubscription } from '../../api/conversation-documents.js';
import { follow } from '../../api/live.js';
import type { Feedback, Thread } from '../../api/types.js';
import { isOlder } from '../../threads/store/thread-version.js';
import { type Load, loadAround, loadBeside, loadEnd, loadMissed, loadSummary } from './conversation-loads.js';
import { canGrow, type PendingMessage, unopened, withMessage } from './conversation-state.js';
import { FetchQueue } from './fetch-queue.js';
import { FollowedAnswer } from './followed-answer.js';
import { openEnd } from './load-ahead.js';

export class ConversationStore extends FollowedAnswer {
  /** The message to open at; null for the end. */
  #wanted: string | null = null;
  /** False until that is where the reader was led. */
  #isLed = false;
  readonly #fetches = new FetchQueue();

  constructor(private readonly threadId: string) {
    super(unopened);
  }

  /** Follows the conversation. Returns what ends that. */
  start(): () => void {
    this.isFollowed = true;
    const stop = follow({
      document: threadChangedSubscription,
      variables: { id: this.threadId },
      next: ({ threadChanged }) => this.putThread(threadChanged),
      refused: (code) => code === 'NOT_FOUND' && this.set({ status: 'missing' }),
    });
    return () => {
      this.isFollowed = false;
      stop();
      this.endLive();
    };
  }

  /** Leads to a message, or to the end, and loads what that takes. */
  readonly open = (messageId: string | null): Promise<void> => {
    this.#wanted = messageId;
    this.#isLed = false;
    return this.refresh();
  };

  /** Takes a thread as it is now, and fetches the messages that came with the change. */
  readonly putThread = (thread: Thread): void => {
    const known = this.getState().thread;
    this.set({ thread });
    if (known && known.updatedAt === thread.updatedAt && known.state === thread.state) return;
    if (this.getState().status === 'ready') void this.refresh();
  };

  /** The same after a change of one's own, of which the news may have come before. */
  readonly put = (thread: Thread): void => {
    const known = this.getState().thread;
    if (!known || !isOlder(thread, known)) this.putThread(thread);
  };

  readonly refresh = (): Promise<void> => this.#fetches.catchUp(() => (this.#isLed ? this.#catchUp() : this.#open()));

  /** Whoever sends a message sees it. */
  readonly sending = (pending: PendingMessage): void => {
    this.set({ pending });
    this.goToEnd();
  };

  /** The service has accepted a message: its answer is followed at once, before the message itself has been fetched. */
  readonly posted = ({ key }: PendingMessage, messageId: string): void => {
    const { pending } = this.getState();
    if (pending?.key === key) this.set({ pending: { ...pending, messageId } });
    this.follow(messageId);
    void this.refresh();
  };

  readonly notPosted = ({ key }: PendingMessage): void => {
    if (this.getState().pending?.key === key) this.set({ pending: null });
  };

  readonly putFeedback = (messageId: string, myFeedback: Feedback | null): void =>
    this.set(withMessage(this.getState(), messageId, { myFeedback }));

  readonly goToEnd = (): void => this.set({ shown: this.getState().newest, unloaded: null, place: { at: 'end' } });

  readonly setOlderOpen = (isOlderOpen: boolean): void => this.set({ isOlderOpen, place: { at: 'boundary' } });

  /** Somebody comes near the beginning, or near the end, of what is held. */
  readonly approach = (side: 'older' | 'newer'): void => {
    if (!canGrow(this.getState(), side)) return;
    this.set({ loading: side });
    void this.#fetches.add(async () => {
      const outcome = await loadBeside(this.threadId, side, this.getState().shown);
      this.set({ loading: null, ...(outcome.ok ? outcome.value(this.getState()) : { unloaded: side }) });
    });
  };

  readonly loadAgain = (): void => this.set({ unloaded: null });

  async #open(): Promise<void> {
    const messageId = this.#wanted;
    const { status, shown, isOlderOpen } = this.getState();
    const held = shown.messages.find(({ id }) => id === messageId);
    if (held && messageId) this.set({ place: { at: { messageId } }, isOlderOpen: isOlderOpen || !held.active });
    else if (!messageId && status === 'ready') this.goToEnd();
    else if (!(await this.#take(messageId ? loadAround(this.threadId, messageId) : openEnd(this.threadId)))) return;
    this.#isLed = messageId === this.#wanted;
  }

  async #catchUp(): Promise<void> {
    const { newest, summaryId: known } = this.getState();
    const last = newest.messages.at(-1);
    await this.#take(last ? loadMissed(this.threadId, last.cursor) : loadEnd(this.threadId));
    const { summaryId } = this.getState();
    if (!summaryId || summaryId === known) return;
    const summary = await loadSummary(this.threadId, summaryId);
    this.set(summary.ok ? summary.value(this.getState()) : { summaryId: known });
    if (!summary.ok) this.#retryLater();
  }

  /** Whether something came that is still wanted. */
  async #take(load: Load): Promise<boolean> {
    const accepted = this.getState().pending?.messageId;
    const outcome = await load;
    // What was asked for before the thread was hidden shall not show it again.
    if (!this.isFollowed || this.getState().status === 'missing') return false;
    if (!outcome.ok) return this.#fail(outcome);
    const told = this.getState().thread;
    const found = outcome.value(this.getState());
    // The news of a change may come faster than what was asked for before it, which takes nothing back.
    const isLate = !!told && !!found.thread && isOlder(found.thread, told);
    this.set(isLate ? { ...found, thread: told, status: 'ready' } : found);
    // What was asked for before a message was accepted knows nothing of it.
    if (accepted && accepted === this.getState().pending?.messageId) this.set({ pending: null });
    if (isLate) void this.refresh();
    else this.settle();
    return true;
  }

  #fail({ code, message }: Extract<Outcome<never>, { ok: false }>): false {
    const { status } = this.getState();
    if (code === 'NOT_FOUND') this.set({ status: 'missing' });
    else if (status === 'loading') this.set({ status: 'failed', problem: message });
    else if (status === 'ready') this.#retryLater();
    return false;
  }

  #retryLater(): void {
    this.#fetches.retryLater(() => this.isFollowed && this.refresh());
  }
}
