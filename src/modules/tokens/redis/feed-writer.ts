/**
 * Publishes the text of this process's worker through Redis: every few milliseconds one transaction for all runs. It never
 * delays or fails a response, and even a long outage uses no memory: the text is in the token log, and whatever Redis lost,
 * refused or did not acknowledge is sent again from there.
 */
import type { Redis } from 'ioredis';
import { DelayedTask } from '../../../platform/async/delayed-task.js';
import type { TokenEntry } from '../log/attempt-text.js';
import type { LoggedAttempt } from '../log/log-reader.js';
import type { TokenWriter } from '../log/token-log.js';
import { encodeEntry, keyOf } from './entry.js';
import type { RedisFailures } from './failures.js';
import { type Batch, RedisStream } from './stream.js';

export interface RedisFeedWriterOptions {
  redis: Redis;
  failures: RedisFailures;
  /** Returns the attempt of a response in the log of this process. */
  find: (responseId: string) => LoggedAttempt | undefined;
}

type Reply = [error: Error | null, result: unknown];

const flushMs = 15;
/** Delay after a failure; half of it is random. */
const pauseMs = 500;
/** How long the end of a response is retried; after that, viewers have learned it from the row. */
const endWorthMs = 5000;
const keepRunningMs = 15 * 60_000;
const keepEndedMs = 5 * 60_000;
/** UTF-16 units of one transaction; the remaining responses wait for the next. */
const maxFlushUnits = 4 * 1024 * 1024;
const commandsPerBatch = 3;

export class RedisFeedWriter implements TokenWriter {
  readonly #options: RedisFeedWriterOptions;
  readonly #streams = new Map<string, RedisStream>();
  readonly #flushes = new DelayedTask(() => this.#flush());

  constructor(options: RedisFeedWriterOptions) {
    this.#options = options;
    options.redis.on('ready', () => this.#startOver());
  }

  open(responseId: string, epoch: number): boolean {
    this.#streams.set(responseId, new RedisStream(responseId, epoch));
    this.#schedule();
    return true;
  }

  /** The text itself is in the log; this only marks that there is more of it. */
  append(responseId: string, epoch: number, _entry: TokenEntry): boolean {
    const stream = this.#streams.get(responseId);
    if (stream?.epoch !== epoch) return false;
    stream.hasNews = true;
    this.#schedule();
    return true;
  }

  end(responseId: string, epoch: number): void {
    const stream = this.#streams.get(responseId);
    if (stream?.epoch !== epoch) return;
    stream.endedAtMs = performance.now();
    stream.hasNews = true;
    this.#schedule();
  }

  /** Sends the remaining text if Redis accepts it now. */
  async close(): Promise<void> {
    await this.#flushes.close();
    if (this.#options.redis.status === 'ready') await this.#flush();
    this.#streams.clear();
  }

  #schedule(): void {
    this.#flushes.request(flushMs);
  }

  /** Redis may be empty after a reconnect: new viewers must still find the text so far. */
  #startOver(): void {
    this.#options.failures.recovered();
    for (const stream of this.#streams.values()) stream.doubt();
    if (this.#streams.size > 0) this.#flushes.reschedule(flushMs);
  }

  /** Sends the new text of all responses. Returns the delay until the next batch; null if there is none. */
  async #flush(): Promise<number | null> {
    const nextMs = await this.#sendNews();
    return [...this.#streams.values()].some((stream) => stream.hasNews) ? nextMs : null;
  }

  async #sendNews(): Promise<number> {
    // Connecting is not a failure; sending resumes when the connection is ready.
    if (['connecting', 'connect'].includes(this.#options.redis.status)) return pauseMs;
    const batches = this.#pack();
    if (batches.length === 0) return flushMs;
    const replies = await this.#send(batches);
    const refusals = batches.map((batch, index) => this.#settle(batch, replies.slice(index * commandsPerBatch)));
    const [refusal] = refusals.filter((error) => error !== undefined);
    if (!refusal) return flushMs;
    this.#options.failures.report(refusal);
    return pauseMs * (0.5 + Math.random() / 2);
  }

  #pack(): Batch[] {
    const batches: Batch[] = [];
    let units = 0;
    for (const stream of this.#streams.values()) {
      if (!stream.hasNews || units > maxFlushUnits) continue;
      const attempt = this.#options.find(stream.responseId);
      const batch = stream.pack(attempt?.epoch === stream.epoch ? attempt.transcript : undefined);
      units += batch.entry.pieces.reduce((sum, { text }) => sum + text.length, 0);
      batches.push(batch);
    }
    return batches;
  }

  /** A transaction, so that no stream is ever left without its expiry. Never rejects. */
  async #send(batches: readonly Batch[]): Promise<Reply[]> {
    const transaction = this.#options.redis.multi();
    for (const { stream, id, entry } of batches) {
      const key = keyOf(stream.responseId);
      // A whole entry replaces all before it, those of older attempts too; any other requires the stream to exist.
      const place = entry.isWhole ? ['MINID', '=', id, id] : ['NOMKSTREAM', id];
      transaction.call('XADD', key, ...place, ...encodeEntry(entry));
      transaction.xlen(key);
      transaction.pexpire(key, stream.endedAtMs === undefined ? keepRunningMs : keepEndedMs);
    }
    try {
      return (await transaction.exec()) ?? [];
    } catch (error) {
      const reply: Reply = [reasonOf(error), null];
      return Array.from({ length: batches.length * commandsPerBatch }, () => reply);
    }
  }

  /** Returns the error if Redis did not accept the batch. */
  #settle(batch: Batch, [added, length]: readonly Reply[]): Error | undefined {
    const { stream } = batch;
    const error = added ? added[0] : new Error('Redis left a command without an answer');
    // A newer attempt has begun, which fences this one.
    if (error?.message.includes('equal or smaller')) this.#forget(stream);
    else if (error) {
      this.#options.failures.failedAppends += 1;
      stream.doubt();
      if (performance.now() - (stream.endedAtMs ?? Number.POSITIVE_INFINITY) > endWorthMs) this.#forget(stream);
      return error;
    } else {
      stream.arrived(batch, added?.[1] === null ? null : Number(length?.[1]));
      if (stream.endedAtMs !== undefined && !stream.hasNews) this.#forget(stream);
    }
    return undefined;
  }

  #forget(stream: RedisStream): void {
    if (this.#streams.get(stream.responseId) === stream) this.#streams.delete(stream.responseId);
  }
}

/** The reason why a transaction was refused is only in the errors of its commands. */
function reasonOf(error: unknown): Error {
  const { previousErrors } = Object(error) as { previousErrors?: Error[] };
  const reason = previousErrors?.[0] ?? error;
  return reason instanceof Error ? reason : new Error('Redis failed');
}
