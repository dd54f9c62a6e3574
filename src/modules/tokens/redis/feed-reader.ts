/**
 * Brings what other processes generate into the token log of this one, for the responses that somebody here follows: one
 * blocking read for all of them, whatever their number. A stream holds its attempt from the beginning, so a late viewer
 * needs nothing else. What is missing makes the reader wait for an entry that holds everything: the log stays a prefix.
 */
import type { Redis } from 'ioredis';
import type { Offsets } from '../log/attempt-text.js';
import type { TokenLog } from '../log/token-log.js';
import { blockMs } from './connection.js';
import { controlKeyOf, decodeEntry, keyOf, type RedisEntry, responseIdOf } from './entry.js';
import type { RedisFailures } from './failures.js';

export interface RedisFeedReaderOptions {
  /** A connection of its own, which is blocked most of the time. */
  blocking: Redis;
  /** The one that is shared. */
  commands: Redis;
  log: TokenLog;
  failures: RedisFailures;
  /** Names this process. */
  node: string;
}

/** How far the log is with a response. */
interface Followed {
  lastId: string;
  epoch: number;
  has: Offsets;
  /** True where this very process generates the attempt, or the log has all of it: nothing may be added to it then. */
  isLocal: boolean;
  /** True until an entry comes that holds everything. */
  isIncomplete: boolean;
  /** True until its stream was read once. */
  isNew: boolean;
}

const entriesAtOnce = 100;
/** Streams that one read begins with: each may hold a whole answer, and many viewers may come at the same moment. */
const newAtOnce = 8;
const retryMs = 250;
const keepControlMs = 60_000;

export class RedisFeedReader {
  readonly #options: RedisFeedReaderOptions;
  readonly #followed = new Map<string, Followed>();
  readonly #finished: Promise<void>;
  #wake: (() => void) | undefined;
  /** Signals sent so far. */
  #signals = 0;
  /** True while a read is blocked that nobody has told to end. */
  #isReading = false;
  #closed = false;

  constructor(options: RedisFeedReaderOptions) {
    this.#options = options;
    this.#finished = this.#run();
  }

  /** A first viewer came here. */
  follow(responseId: string): void {
    const has = { text: 0, thinking: 0 };
    this.#followed.set(responseId, { lastId: '0-0', epoch: -1, has, isLocal: false, isIncomplete: true, isNew: true });
    if (this.#isReading) this.#signal();
    else this.#wake?.();
  }

  /** The last viewer left: what was brought here for them is of no use any more. */
  unfollow(responseId: string): void {
    const followed = this.#followed.get(responseId);
    this.#followed.delete(responseId);
    if (followed && !followed.isLocal) this.#options.log.forget(responseId, followed.epoch);
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#options.blocking.disconnect();
    this.#wake?.();
    await this.#finished;
  }

  /** Ends the read that is blocked, so that the next one has all keys. Where that fails, it ends by itself soon. */
  #signal(): void {
    const { commands, node, failures } = this.#options;
    const key = controlKeyOf(node);
    this.#isReading = false;
    this.#signals += 1;
    commands
      .multi()
      .xadd(key, 'MAXLEN', '=', 1, `${this.#signals}-0`, 'more', '')
      .pexpire(key, keepControlMs)
      .exec()
      .catch((error: unknown) => failures.report(error));
  }

  async #run(): Promise<void> {
    while (!this.#closed) {
      if (this.#followed.size === 0) await this.#sleep(undefined);
      else await this.#sleep(await this.#read());
    }
  }

  /** Reads once. Gives the time to wait before the next read. */
  async #read(): Promise<number> {
    const { blocking, node, failures } = this.#options;
    const asked = this.#streamsToRead();
    const isAll = asked.size === this.#followed.size;
    const keys = [controlKeyOf(node), ...[...asked.keys()].map(keyOf)];
    const ids = [`${this.#signals}-0`, ...[...asked.values()].map(({ lastId }) => lastId)];
    this.#isReading = true;
    try {
      const limits = ['COUNT', entriesAtOnce, 'BLOCK', isAll ? blockMs : 1] as const;
      const streams = await blocking.xread(...limits, 'STREAMS', ...keys, ...ids);
      for (const followed of asked.values()) followed.isNew = false;
      for (const [key, entries] of streams ?? []) {
        const responseId = responseIdOf(key);
        const followed = asked.get(responseId);
        // Whoever left and came back meanwhile begins at the beginning, and this is not that.
        if (followed && this.#followed.get(responseId) === followed) this.#takeAll(responseId, followed, entries);
      }
      // Each read names all streams: the more there are, the more of their news it should bring.
      return streams && isAll ? Math.min(20, this.#followed.size / 10) : 0;
    } catch (error) {
      if (!this.#closed) failures.report(error);
      return retryMs;
    } finally {
      this.#isReading = false;
    }
  }

  /** All that were read before, and the first of those that are new. */
  #streamsToRead(): Map<string, Followed> {
    let room = newAtOnce;
    return new Map([...this.#followed].filter(([, { isNew }]) => !isNew || room-- > 0));
  }

  #takeAll(
    responseId: string,
    followed: Followed,
    entries: readonly (readonly [id: string, fields: string[]])[],
  ): void {
    for (const [id, fields] of entries) {
      followed.lastId = id;
      this.#take(responseId, followed, decodeEntry(id, fields));
    }
  }

  #take(responseId: string, followed: Followed, { epoch, isWhole, pieces, endsAt }: RedisEntry): void {
    const { log } = this.#options;
    if (epoch < followed.epoch) return;
    if (epoch > followed.epoch) {
      const isLocal = !log.open(responseId, epoch);
      Object.assign(followed, { epoch, isLocal, isIncomplete: true, has: { text: 0, thinking: 0 } });
    }
    if (isWhole) followed.isIncomplete = false;
    if (followed.isLocal) return;
    for (const { kind, at, text } of pieces) {
      const has = followed.has[kind];
      if (at > has) followed.isIncomplete = true;
      if (followed.isIncomplete) return;
      if (at + text.length <= has) continue;
      log.append(responseId, epoch, { kind, text: text.slice(has - at) });
      followed.has[kind] = at + text.length;
    }
    if (endsAt === followed.has.text) log.end(responseId, epoch);
  }

  /** Waits for that time, or without end, unless somebody comes. */
  #sleep(delayMs: number | undefined): Promise<void> {
    if (delayMs === 0 || this.#closed) return Promise.resolve();
    return new Promise((resolve) => {
      const timer = delayMs === undefined ? undefined : setTimeout(() => this.#wake?.(), delayMs);
      this.#wake = () => {
        clearTimeout(timer);
        this.#wake = undefined;
        resolve();
      };
    });
  }
}
