/**
 * Publishes the text of this process's worker to the other processes: every few milliseconds the new text of all runs. It
 * never delays or fails a response, and even a long outage uses no memory: the text is in the token log, and whatever the
 * store did not take is sent again from there. Nothing is sent while no other process listens, and whoever begins to listen
 * gets all of it: so a service of one process writes no text for others, and a second one may join at any time.
 */
import { DelayedTask } from '../../../platform/async/delayed-task.js';
import type { LoggedAttempt } from '../log/log-reader.js';
import type { TokenWriter } from '../log/token-log.js';
import type { FeedFailures } from './feed-failures.js';
import type { FeedStore, Outcome } from './feed-store.js';
import { type Batch, OutgoingAttempt } from './outgoing-attempt.js';

export interface FeedWriterOptions {
  store: FeedStore;
  failures: FeedFailures;
  /** Returns the attempt of a response in the log of this process. */
  find: (responseId: string) => LoggedAttempt | undefined;
  /** Whether another process listens. Rejects while that is unknown. */
  othersListen: () => Promise<boolean>;
}

const flushMs = 10;
/** How long an answer of `othersListen` counts. */
const knownMs = 1_000;
/** Delay after a failure; half of it is random. */
const pauseMs = 500;
/** UTF-16 units that are sent at once; the remaining responses wait for the next time. */
const maxUnits = 4 * 1024 * 1024;

export class FeedWriter implements TokenWriter {
  readonly #options: FeedWriterOptions;
  readonly #attempts = new Map<string, OutgoingAttempt>();
  readonly #flushes = new DelayedTask(() => this.#flush());
  #peersListen = true;
  #askedMs = Number.NEGATIVE_INFINITY;

  constructor(options: FeedWriterOptions) {
    this.#options = options;
  }

  open(responseId: string, epoch: number): boolean {
    if (performance.now() - this.#askedMs >= knownMs) void this.look();
    this.#attempts.set(responseId, new OutgoingAttempt(responseId, epoch, !this.#peersListen));
    return true;
  }

  /** The text itself is in the log; this only marks that there is more of it. */
  append(responseId: string, epoch: number): boolean {
    const attempt = this.#attempts.get(responseId);
    if (attempt?.epoch !== epoch) return false;
    attempt.hasNews = true;
    if (!attempt.isDeferred) this.#schedule();
    return true;
  }

  end(responseId: string, epoch: number): void {
    const attempt = this.#attempts.get(responseId);
    if (!attempt || !this.append(responseId, epoch)) return;
    if (attempt.isDeferred) this.#attempts.delete(responseId);
    attempt.isEnded = true;
  }

  /** Whether the response is under way here and nothing of it was sent, because nobody else listens. */
  isDeferred(responseId: string): boolean {
    return this.#attempts.get(responseId)?.isDeferred === true;
  }

  /** Sends what was kept, because another process has said that it listens. */
  hear(): void {
    this.#peersListen = true;
    for (const attempt of this.#attempts.values()) attempt.isDeferred = false;
    this.#schedule();
  }

  /** Asks who listens, because that may have changed, and sends what was kept if somebody does. Never rejects. */
  async look(): Promise<void> {
    this.#askedMs = performance.now();
    try {
      this.#peersListen = await this.#options.othersListen();
    } catch (error) {
      this.#options.failures.report(error);
      return;
    }
    if (this.#peersListen) this.hear();
  }

  /** Sends everything again, because the store may have been emptied: new viewers must still find the text so far. */
  startOver(): void {
    for (const attempt of this.#attempts.values()) attempt.doubt();
    if (this.#attempts.size > 0) this.#flushes.reschedule(flushMs);
  }

  /** Sends the remaining text if the store takes it now. */
  async close(): Promise<void> {
    await this.#flushes.close();
    await this.#flush();
    this.#attempts.clear();
  }

  #schedule(): void {
    this.#flushes.request(flushMs);
  }

  /** The attempts that have something to send. */
  get #due(): OutgoingAttempt[] {
    return [...this.#attempts.values()].filter(({ hasNews, isDeferred }) => hasNews && !isDeferred);
  }

  /** Sends the new text of all responses. Returns the delay until the next time; null if nothing is left. */
  async #flush(): Promise<number | null> {
    const { store, failures } = this.#options;
    if (store.isConnecting) return pauseMs;
    const batches = this.#pack();
    const outcomes = await this.#send(batches);
    const errors = outcomes.filter((outcome) => outcome instanceof Error);
    if (errors.length > 0) failures.report(errors[0]);
    else if (batches.length > 0) failures.recovered();
    for (const [index, batch] of batches.entries()) this.#settle(batch, outcomes[index]);
    if (this.#due.length === 0) return null;
    return errors.length > 0 ? pauseMs * (0.5 + Math.random() / 2) : flushMs;
  }

  #pack(): Batch[] {
    const batches: Batch[] = [];
    let units = 0;
    for (const attempt of this.#due) {
      if (units > maxUnits) break;
      const logged = this.#options.find(attempt.responseId);
      const batch = logged?.epoch === attempt.epoch ? attempt.pack(logged.transcript) : undefined;
      // A newer attempt is known here, or this one ended long ago: nobody needs more of it.
      if (!batch) this.#attempts.delete(attempt.responseId);
      else if (batch.entries.length > 0 || batch.isLast) batches.push(batch);
      units += batch?.entries.reduce((sum, { text }) => sum + (text?.length ?? 0), 0) ?? 0;
    }
    return batches;
  }

  async #send(batches: readonly Batch[]): Promise<readonly Outcome[]> {
    if (batches.length === 0) return [];
    return this.#options.store.send(batches).catch((error: unknown) => {
      const failure = error instanceof Error ? error : new Error('The store failed', { cause: error });
      return batches.map(() => failure);
    });
  }

  #settle(batch: Batch, outcome: Outcome | undefined): void {
    const { attempt, isLast } = batch;
    const { store, failures } = this.#options;
    if (outcome instanceof Error) failures.failedBatches += 1;
    if (outcome === 'stored') attempt.arrived(batch);
    else attempt.doubt(store.takesRepeats ? batch : undefined);
    const isOver = outcome === 'fenced' || (outcome === 'stored' && isLast);
    if (isOver && this.#attempts.get(attempt.responseId) === attempt) this.#attempts.delete(attempt.responseId);
  }
}
