/**
 * Copies the text of responses that other processes generate and viewers here follow into the token log of this process,
 * by one blocking read for all of them. A stream has its attempt from the beginning, so a late viewer needs nothing else.
 * After a gap the reader waits for an entry with the whole text, so the log is always a prefix.
 */
import type { Redis } from 'ioredis';
import { systemClock } from '../../../platform/async/clock.js';
import { Signal, type WakeSource } from '../../../platform/async/signal.js';
import type { Followers, TokenLog } from '../log/token-log.js';
import { Replicas } from '../replica.js';
import { blockMs } from './connection.js';
import { controlKeyOf, decodeEntry, keyOf } from './entry.js';
import type { RedisFailures } from './failures.js';
import { RedisReplica } from './replica.js';

export interface RedisFeedReaderOptions {
  /** A dedicated connection, which is blocked most of the time. */
  blocking: Redis;
  /** The shared connection. */
  commands: Redis;
  log: TokenLog;
  failures: RedisFailures;
  /** Names this process. */
  node: string;
}

const entriesAtOnce = 100;
/** New streams per read: each may hold a whole answer, and many viewers may come at the same moment. */
const newAtOnce = 8;
const retryMs = 250;
const keepControlMs = 60_000;

export class RedisFeedReader implements Followers {
  readonly #options: RedisFeedReaderOptions;
  readonly #replicas: Replicas<RedisReplica>;
  readonly #finished: Promise<void>;
  /** Ends the pause between two reads. */
  readonly #followers = new Signal();
  /** Interruptions of blocked reads so far. */
  #interruptions = 0;
  /** Whether a read is blocked that was not yet interrupted. */
  #isReading = false;
  #closed = false;

  constructor(options: RedisFeedReaderOptions) {
    this.#options = options;
    this.#replicas = new Replicas((responseId) => new RedisReplica(responseId, options.log));
    this.#finished = this.#run();
  }

  follow(responseId: string): void {
    this.#replicas.follow(responseId);
    if (this.#isReading) this.#interrupt();
    else this.#followers.wake();
  }

  unfollow(responseId: string): void {
    this.#replicas.unfollow(responseId);
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#options.blocking.disconnect();
    this.#followers.wake();
    await this.#finished;
  }

  /** Interrupts the blocked read, so that the next one has all keys. If that fails, the read soon times out. */
  #interrupt(): void {
    const { commands, node, failures } = this.#options;
    const key = controlKeyOf(node);
    this.#isReading = false;
    this.#interruptions += 1;
    commands
      .multi()
      .xadd(key, 'MAXLEN', '=', 1, `${this.#interruptions}-0`, 'more', '')
      .pexpire(key, keepControlMs)
      .exec()
      .catch((error: unknown) => failures.report(error));
  }

  async #run(): Promise<void> {
    while (!this.#closed) {
      const delayMs = this.#replicas.size === 0 ? undefined : await this.#read();
      await this.#pause(delayMs);
    }
  }

  /** Reads once. Returns the time to wait before the next read. */
  async #read(): Promise<number> {
    const { blocking, node, failures } = this.#options;
    const asked = this.#streamsToRead();
    const isAll = asked.length === this.#replicas.size;
    const keys = [controlKeyOf(node), ...asked.map(({ responseId }) => keyOf(responseId))];
    const ids = [`${this.#interruptions}-0`, ...asked.map(({ lastId }) => lastId)];
    this.#isReading = true;
    try {
      const limits = ['COUNT', entriesAtOnce, 'BLOCK', isAll ? blockMs : 1] as const;
      const streams = await blocking.xread(...limits, 'STREAMS', ...keys, ...ids);
      const entries = new Map(streams);
      for (const replica of asked) {
        replica.isNew = false;
        // A response whose viewers left and returned meanwhile has a new copy, which starts from the beginning.
        if (this.#replicas.has(replica)) takeAll(replica, entries.get(keyOf(replica.responseId)) ?? []);
      }
      // Each read names all streams: with many, a pause lets more entries arrive for the next one.
      return streams && isAll ? Math.min(20, this.#replicas.size / 10) : 0;
    } catch (error) {
      if (!this.#closed) failures.report(error);
      return retryMs;
    } finally {
      this.#isReading = false;
    }
  }

  /** All streams that were read before, and the first of the new ones. */
  #streamsToRead(): RedisReplica[] {
    let room = newAtOnce;
    return this.#replicas.all().filter(({ isNew }) => !isNew || room-- > 0);
  }

  /** Waits for the delay, or without a limit until a response is followed. */
  async #pause(delayMs: number | undefined): Promise<void> {
    if (delayMs === 0 || this.#closed) return;
    const timer: WakeSource[] = delayMs === undefined ? [] : [(wake) => systemClock.after(delayMs, wake)];
    await this.#followers.sleep(...timer);
  }
}

function takeAll(replica: RedisReplica, entries: readonly (readonly [id: string, fields: string[]])[]): void {
  for (const [id, fields] of entries) {
    replica.lastId = id;
    replica.take(decodeEntry(id, fields));
  }
}
