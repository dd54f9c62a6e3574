/**
 * One live conversation. `reduce` decides what an event means; this makes the requests, follows the thread and the answer, and
 * reports what comes of it. A change of the thread is only a signal to load what is new, so two tabs and two people see the same.
 */
import type { Outcome } from '../../api/client.js';
import { responseEventsSubscription, threadChangedSubscription } from '../../api/conversation-documents.js';
import { follow } from '../../api/live.js';
import type { Thread } from '../../api/types.js';
import { isOlder } from '../../threads/store/thread-state.js';
import { onPassed } from '../../ui/state/passing-problems.js';
import { Signal } from '../../ui/state/signal.js';
import type { ConversationEvent } from './conversation-event.js';
import { type Load, loadAround, loadBeside, loadEnd, loadMissed, loadSummary, openEnd } from './conversation-loads.js';
import { type ConversationState, type LiveAnswer, unopened } from './conversation-state.js';
import { FetchQueue } from './fetch-queue.js';
import { edgeOf, type Side } from './message-window.js';
import { paced } from './paced.js';
import { reduce } from './reduce.js';

export class ConversationStore {
  #state = unopened;
  /** The state when something other than the growth of the answer happened last, and the answer as it is shown. */
  #seen: { state: ConversationState; live: LiveAnswer | null } = { state: unopened, live: null };
  readonly #changes = new Signal();
  readonly #fetches = new FetchQueue();
  /** The answer whose events are followed. */
  #followed: { messageId: string; stop: () => void } | undefined;
  /** Where the list is to be led: to a message or to the end; undefined when it is there. */
  #wanted: { messageId: string | null } | undefined = { messageId: null };
  /** Whether the conversation was started again with what it had loaded before. */
  #isReturn = false;

  constructor(readonly threadId: string) {}

  readonly subscribe = this.#changes.on;

  /** What the page shows. The answer grows in `getLive` alone, so that only its row is rendered with it. */
  readonly getState = (): ConversationState => this.#seen.state;

  readonly getLive = (): LiveAnswer | null => this.#seen.live;

  /** Returns whether the event changed anything. */
  readonly dispatch = (event: ConversationEvent): boolean => {
    const before = this.#state;
    this.#state = reduce(before, event);
    if (event.type === 'answerGrew') this.#growLater();
    else {
      this.#followAnswer();
      this.#show(this.#state);
    }
    return this.#state !== before;
  };

  readonly #growLater = paced(() => this.#show(this.#seen.state));

  #show(state: ConversationState): void {
    this.#seen = { state, live: this.#state.live };
    this.#changes.emit();
  }

  /** Follows the conversation. Returns a function that stops following, after which it may be started again. */
  start(): () => void {
    this.#isReturn = this.#state.status === 'ready';
    this.dispatch({ type: 'shown' });
    const stop = follow({
      document: threadChangedSubscription,
      variables: { id: this.threadId },
      next: ({ threadChanged }) => this.put(threadChanged, true),
      refused: (code) => code === 'NOT_FOUND' && this.dispatch({ type: 'hidden' }),
    });
    const stopListening = onPassed((problem) => this.#forgetProblem(problem));
    return () => {
      stop();
      stopListening();
      this.dispatch({ type: 'left' });
    };
  }

  /** Scrolls to a message or to the end, and loads what is needed. */
  readonly open = (messageId: string | null): Promise<void> => {
    this.#wanted = { messageId };
    const isKept = this.#isReturn;
    this.#isReturn = false;
    const opened = this.refresh();
    // What was kept is shown at once and then brought up to date.
    return isKept ? opened.then(() => this.refresh()) : opened;
  };

  /** Applies a change of the thread, and loads the messages that came with it. */
  readonly put = (thread: Thread, isPushed = false): void => {
    const { thread: known, status } = this.#state;
    if (!this.dispatch({ type: 'threadChanged', thread, isPushed }) || status !== 'ready') return;
    if (known?.updatedAt !== thread.updatedAt || known.state !== thread.state) void this.refresh();
  };

  readonly refresh = (): Promise<void> => this.#fetches.catchUp(() => (this.#wanted ? this.#open() : this.#catchUp()));

  /** Called when the reader comes near the start or the end of the loaded messages. */
  readonly approach = (side: Side): void => {
    if (!this.dispatch({ type: 'pageAwaited', side })) return;
    void this.#fetches.add(async () => {
      const edge = edgeOf(this.#state.shown, side);
      if (!edge) return void this.dispatch({ type: 'pageFailed', side });
      const outcome = await loadBeside(this.threadId, side, edge);
      if (!outcome.ok) return void this.dispatch({ type: 'pageFailed', side });
      const { branchVersion, messages: page } = outcome.value.thread;
      this.dispatch({ type: 'pageLoaded', side, edge: edge.id, branchVersion, page });
      if (branchVersion !== this.#state.branchVersion) void this.refresh();
    });
  };

  /** Follows the answer that the state has, from where it was left. */
  #followAnswer(): void {
    const { isOpen, live } = this.#state;
    const next = isOpen && live && live.status !== 'ENDED' ? live : null;
    if (next?.messageId === this.#followed?.messageId) return;
    this.#followed?.stop();
    this.#followed = next ? { messageId: next.messageId, stop: this.#followEvents(next) } : undefined;
  }

  #followEvents({ messageId, position }: LiveAnswer): () => void {
    let after = position;
    return follow({
      document: responseEventsSubscription,
      variables: { messageId, after },
      cursorOf: ({ responseEvents }) => responseEvents.cursor,
      next: ({ responseEvents: event }) => {
        const isEnd = event.__typename === 'ResponseDone' || event.__typename === 'ResponseError';
        this.dispatch({ type: isEnd ? 'answerEnded' : 'answerGrew', messageId, after, event });
        after = event.cursor;
        if (isEnd) void this.refresh();
      },
      refused: () => void this.refresh(),
    });
  }

  async #open(): Promise<void> {
    const messageId = this.#wanted?.messageId ?? null;
    const load = () => (messageId ? loadAround(this.threadId, messageId) : openEnd(this.threadId));
    if (!this.dispatch({ type: 'sought', messageId }) && !(await this.#take(load()))) return;
    if (this.#wanted?.messageId === messageId) this.#wanted = undefined;
  }

  async #catchUp(): Promise<void> {
    const { newest, summaryId: known, branchVersion } = this.#state;
    const isEmpty = newest.messages.length === 0;
    await this.#take(isEmpty ? loadEnd(this.threadId) : loadMissed(this.threadId, newest, branchVersion));
    const { summaryId } = this.#state;
    if (!summaryId || summaryId === known) return;
    const outcome = await loadSummary(this.threadId, summaryId);
    if (outcome.ok) {
      const { message: summary, thread } = outcome.value;
      this.dispatch({ type: 'summaryLoaded', summary, last: thread.replaced.edges[0]?.node });
    } else {
      this.dispatch({ type: 'summaryFailed', known });
      this.#retryLater();
    }
  }

  /** Applies a load. Returns whether it succeeded and was still wanted. */
  async #take(load: Load): Promise<boolean> {
    const accepted = this.#state.pending.flatMap(({ messageId }) => messageId ?? []);
    const outcome = await load;
    const { isOpen, status } = this.#state;
    // A response from before the thread was hidden must not show it again.
    if (!isOpen || status === 'missing') return false;
    if (!outcome.ok) return this.#fail(outcome);
    const isTaken = this.dispatch({ ...outcome.value, accepted });
    const { thread } = this.#state;
    if (thread && isOlder(outcome.value.thread, thread)) void this.refresh();
    return isTaken;
  }

  #fail({ code, message: problem }: Extract<Outcome<never>, { ok: false }>): false {
    if (code === 'NOT_FOUND') this.dispatch({ type: 'hidden' });
    else {
      this.dispatch({ type: 'loadFailed', problem });
      this.#retryLater();
    }
    return false;
  }

  #forgetProblem(problem: string): void {
    const { branching } = this.#state;
    if (branching?.problem !== problem) return;
    const open = branching.isEditing ? { ...branching, problem: null } : null;
    this.dispatch({ type: 'branchingChanged', branching: open });
  }

  #retryLater(): void {
    this.#fetches.retryLater(() => this.#state.isOpen && this.refresh());
  }
}
