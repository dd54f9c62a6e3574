/**
 * One live conversation: its thread, its messages in order, and the answer that is being streamed. A change of the thread is
 * only a signal to load what is new, so two tabs and two people see the same.
 */
import { defaultPageSize } from '../../../contract.js';
import type { Outcome } from '../../api/client.js';
import { threadChangedSubscription } from '../../api/conversation-documents.js';
import { follow } from '../../api/live.js';
import type { Feedback, Message, Thread } from '../../api/types.js';
import { isOlder } from '../../threads/store/thread-version.js';
import { type Load, loadAround, loadBeside, loadEnd, loadMissed, loadSummary } from './conversation-loads.js';
import { type Branching, canGrow, type PendingMessage, unopened, withMessage } from './conversation-state.js';
import { FetchQueue } from './fetch-queue.js';
import { FollowedAnswer } from './followed-answer.js';
import { openEnd } from './load-ahead.js';
import { charactersOf, endOf, holds, windowBefore } from './message-window.js';

export class ConversationStore extends FollowedAnswer {
  /** The message to scroll to; null for the end. */
  #wanted: string | null = null;
  /** Whether the list has scrolled there. */
  #isLed = false;
  /** Whether the conversation was started again with what it had loaded before. */
  #isReturn = false;
  readonly #fetches = new FetchQueue();

  constructor(readonly threadId: string) {
    super(unopened);
  }

  /** The length of the loaded text. */
  get characters(): number {
    return charactersOf(this.getState().newest);
  }

  /** Follows the conversation. Returns a function that stops following, after which it may be started again. */
  start(): () => void {
    this.isFollowed = true;
    this.#isReturn = this.getState().status === 'ready';
    this.getState().live?.resume();
    const stop = follow({
      document: threadChangedSubscription,
      variables: { id: this.threadId },
      next: ({ threadChanged }) => this.putThread(threadChanged),
      refused: (code) => code === 'NOT_FOUND' && this.set({ status: 'missing' }),
    });
    return () => {
      this.isFollowed = false;
      stop();
      this.getState().live?.pause();
      this.#leave();
    };
  }

  /** Scrolls to a message or to the end, and loads what is needed. */
  readonly open = (messageId: string | null): Promise<void> => {
    this.#wanted = messageId;
    this.#isLed = false;
    const isKept = this.#isReturn;
    this.#isReturn = false;
    const opened = this.refresh();
    // What was kept is shown at once and then brought up to date.
    return isKept ? opened.then(() => this.refresh()) : opened;
  };

  /** Applies the current thread, and loads the messages that came with the change. */
  readonly putThread = (thread: Thread): void => {
    const known = this.getState().thread;
    this.set({ thread });
    if (known && known.updatedAt === thread.updatedAt && known.state === thread.state) return;
    if (this.getState().status === 'ready') void this.refresh();
  };

  /** The same after the viewer's own change, unless a newer version has already arrived. */
  readonly put = (thread: Thread): void => {
    const known = this.getState().thread;
    if (!known || !isOlder(thread, known)) this.putThread(thread);
  };

  readonly refresh = (): Promise<void> => this.#fetches.catchUp(() => (this.#isLed ? this.#catchUp() : this.#open()));

  /** Shows a message that is being sent. */
  readonly sending = (pending: PendingMessage): void => {
    this.set({ pending });
    this.goToEnd();
  };

  /** Called when the service has accepted a message. Its answer is followed at once, before the message itself is loaded. */
  readonly posted = ({ key }: PendingMessage, messageId: string): void => {
    const { pending } = this.getState();
    if (pending?.key === key) this.set({ pending: { ...pending, messageId } });
    this.follow(messageId);
    void this.refresh();
  };

  readonly notPosted = ({ key }: PendingMessage): void => {
    if (this.getState().pending?.key === key) this.set({ pending: null });
  };

  /** Shows a message that is being sent in place of another one and all that follows it. */
  readonly branching = (messageId: string, pending: PendingMessage): void => {
    const { shown, newest } = this.getState();
    const cut = windowBefore(holds(shown, messageId) ? shown : newest, messageId);
    this.set({ shown: cut, newest: cut, branching: null });
    this.sending(pending);
  };

  readonly setBranching = (branching: Branching | null): void => this.set({ branching });

  /** Opens the editor of the viewer's newest message, and scrolls to it. Returns whether there is one. */
  readonly editNewest = (viewerId: string): boolean => {
    const { newest } = this.getState();
    const isOwn = ({ role, active, author }: Message) => role === 'USER' && active && author?.id === viewerId;
    const messageId = newest.messages.findLast(isOwn)?.id;
    if (!messageId) return false;
    const branching = { messageId, isEditing: true, problem: null };
    this.set({ shown: newest, place: { at: { messageId } }, branching });
    return true;
  };

  /** A loaded message. */
  readonly messageOf = (id: string | null): Message | undefined => {
    const { shown, newest } = this.getState();
    return [...shown.messages, ...newest.messages].find((message) => message.id === id);
  };

  readonly putFeedback = (messageId: string, myFeedback: Feedback | null): void =>
    this.set(withMessage(this.getState(), messageId, { myFeedback }));

  readonly goToEnd = (): void => this.set({ shown: this.getState().newest, unloaded: null, place: { at: 'end' } });

  readonly setOlderOpen = (isOlderOpen: boolean): void => this.set({ isOlderOpen, place: { at: 'boundary' } });

  /** Called when the reader comes near the start or the end of the loaded messages. */
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
    const { newest, summaryId: known, branchVersion } = this.getState();
    const after = newest.messages.at(-1)?.cursor;
    await this.#take(after ? loadMissed(this.threadId, { after, branchVersion }) : loadEnd(this.threadId));
    const { summaryId } = this.getState();
    if (!summaryId || summaryId === known) return;
    const summary = await loadSummary(this.threadId, summaryId);
    this.set(summary.ok ? summary.value(this.getState()) : { summaryId: known });
    if (!summary.ok) this.#retryLater();
  }

  /** Applies a load. Returns whether it succeeded and was still wanted. */
  async #take(load: Load): Promise<boolean> {
    const accepted = this.getState().pending?.messageId;
    const outcome = await load;
    // A response from before the thread was hidden must not show it again.
    if (!this.isFollowed || this.getState().status === 'missing') return false;
    if (!outcome.ok) return this.#fail(outcome);
    const told = this.getState().thread;
    const found = outcome.value(this.getState());
    // An event may overtake the response of an earlier request, which must not revert the thread.
    const isLate = !!told && !!found.thread && isOlder(found.thread, told);
    this.set(isLate ? { ...found, thread: told, status: 'ready' } : found);
    // A response from before the message was accepted does not contain it.
    if (accepted && accepted === this.getState().pending?.messageId) this.set({ pending: null });
    if (isLate) void this.refresh();
    else this.settle();
    return true;
  }

  #fail({ code, message }: Extract<Outcome<never>, { ok: false }>): false {
    const { status } = this.getState();
    if (code === 'NOT_FOUND') this.set({ status: 'missing' });
    else if (status === 'loading') this.set({ status: 'failed', problem: message });
    if (code !== 'NOT_FOUND') this.#retryLater();
    return false;
  }

  /** Keeps only the end of the conversation, which is where it opens again. */
  #leave(): void {
    const newest = endOf(this.getState().newest, defaultPageSize);
    this.set({ newest, shown: newest, loading: null, unloaded: null });
  }

  #retryLater(): void {
    this.#fetches.retryLater(() => this.isFollowed && this.refresh());
  }
}
