/**
 * Carries text through Redis: one stream and one channel per response, and one transaction for all runs. Entries are named
 * `<epoch>-<seq>`, and Redis refuses a name that is not greater than the last one, which fences replaced workers. Redis may
 * lose what it had; after any doubt the whole text replaces it, so Redis always has a prefix without a gap, or nothing.
 */
import type { ChainableCommander, Redis } from 'ioredis';
import { encodeEntries, type FeedEntry } from '../feed/feed-entry.js';
import type { FeedFailures } from '../feed/feed-failures.js';
import { type FeedStore, type Outcome, type Progress, page } from '../feed/feed-store.js';
import type { Batch } from '../feed/outgoing-attempt.js';

export interface RedisStoreOptions {
  commands: Redis;
  /** A dedicated connection, which only listens. */
  subscriber: Redis;
  failures: FeedFailures;
  /** Names this process. */
  node: string;
}

type Reply = [error: Error | null, result: unknown];

const keepRunningMs = 15 * 60_000;
const keepEndedMs = 5 * 60_000;

/** Names both the stream and the channel of a response. */
const keyOf = (responseId: string) => `skein:text:${responseId}`;

export class RedisStore implements FeedStore {
  readonly takesRepeats = false;
  readonly #options: RedisStoreOptions;

  constructor(options: RedisStoreOptions) {
    this.#options = options;
  }

  get isConnecting(): boolean {
    const { commands, subscriber } = this.#options;
    return [commands, subscriber].some(({ status }) => ['connecting', 'connect'].includes(status));
  }

  /** A transaction, so that no stream is ever left without its expiry. */
  async send(batches: readonly Batch[]): Promise<Outcome[]> {
    const transaction = this.#options.commands.multi();
    const ranges = batches.map((batch) => {
      const from = transaction.length;
      this.#add(transaction, batch);
      // The command that begins the transaction has no reply.
      return [from - 1, transaction.length - 1] as const;
    });
    const replies: Reply[] = (await transaction.exec().catch(throwReason)) ?? [];
    return batches.map((batch, index) => outcomeOf(batch, replies.slice(...(ranges[index] ?? []))));
  }

  async read(responseId: string, { epoch, next }: Progress): Promise<FeedEntry[]> {
    const key = keyOf(responseId);
    await this.#options.subscriber.subscribe(key);
    const after = `${epoch}-${next - 1}`;
    const streams = await this.#options.commands.xread('COUNT', page.entries, 'STREAMS', key, after);
    return (streams?.[0]?.[1] ?? []).flatMap(([id, fields]) => entryOf(responseId, id, fields));
  }

  leave(responseId: string): void {
    const { subscriber, failures } = this.#options;
    // A new connection subscribes only to what is followed.
    if (subscriber.status !== 'ready') return;
    subscriber.unsubscribe(keyOf(responseId)).catch((error: unknown) => failures.report(error));
  }

  #add(transaction: ChainableCommander, { attempt, entries, isLast }: Batch): void {
    const key = keyOf(attempt.responseId);
    for (const { epoch, seq, kind, text = '', isFirst } of entries) {
      const id = `${epoch}-${seq}`;
      // The first entry replaces all before it, those of older attempts too; any other requires the stream to exist.
      const place = isFirst ? ['MINID', '=', id, id] : ['NOMKSTREAM', id];
      transaction.call('XADD', key, ...place, kind, text, ...(isFirst ? ['first', ''] : []));
    }
    for (const announcement of encodeEntries(this.#options.node, entries)) transaction.publish(key, announcement);
    if (isLast || entries[0]?.isFirst) transaction.pexpire(key, isLast ? keepEndedMs : keepRunningMs);
    transaction.xlen(key);
  }
}

function outcomeOf({ stored }: Batch, replies: readonly Reply[]): Outcome {
  const length = replies.at(-1);
  if (!length) return new Error('Redis left a command without an answer');
  const error = replies.find(([refusal]) => refusal)?.[0];
  if (error) return error.message.includes('equal or smaller') ? 'fenced' : error;
  return length[1] === stored ? 'stored' : 'lost';
}

/** An entry of the stream; none if it is not one of ours. */
function entryOf(responseId: string, id: string, [kind, text, first]: readonly string[]): FeedEntry[] {
  if (kind !== 'text' && kind !== 'thinking' && kind !== 'end') return [];
  const [epoch, seq] = id.split('-').map(Number);
  return [{ responseId, epoch: epoch ?? 0, seq: seq ?? 0, kind, text, isFirst: first !== undefined }];
}

/** The reason why a transaction was refused is only in the errors of its commands. */
function throwReason(error: { previousErrors?: Error[] }): never {
  throw error.previousErrors?.[0] ?? error;
}
