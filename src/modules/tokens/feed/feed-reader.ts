/**
 * Copies the text of responses that other processes generate and viewers here follow into the token log of this process.
 * Announcements are the fast way; the store fills the gaps: text from before the first viewer, entries that did not fit into
 * an announcement, and those that were missed while the connection was down.
 */
import pLimit from 'p-limit';
import type { Followers, TokenLog } from '../log/token-log.js';
import { decodeEntries, type FeedEntry } from './feed-entry.js';
import type { FeedFailures } from './feed-failures.js';
import { type FeedStore, page } from './feed-store.js';
import { Replica } from './replica.js';

export interface FeedReaderOptions {
  store: FeedStore;
  log: TokenLog;
  failures: FeedFailures;
  /** Names this process, so that it skips its own entries: the log already has them. */
  node: string;
  /** Whether this process generates the response and no other listens: then the store has nothing of it. */
  isDeferred: (responseId: string) => boolean;
}

/** After a gap every followed response needs a read, and each read may return a whole answer. */
const readsAtOnce = 4;

export class FeedReader implements Followers {
  readonly #options: FeedReaderOptions;
  readonly #replicas = new Map<string, Replica>();
  readonly #limitReads = pLimit(readsAtOnce);

  constructor(options: FeedReaderOptions) {
    this.#options = options;
  }

  follow(responseId: string): void {
    const replica = new Replica(responseId, this.#options.log);
    this.#replicas.set(responseId, replica);
    if (!this.#options.isDeferred(responseId)) this.#load(replica);
  }

  unfollow(responseId: string): void {
    this.#replicas.get(responseId)?.forget();
    this.#replicas.delete(responseId);
    this.#options.store.leave?.(responseId);
  }

  /** Handles an announcement. */
  receive(announcement: string): void {
    try {
      const { node, entries } = decodeEntries(announcement);
      if (node !== this.#options.node) for (const entry of entries) this.#take(entry);
    } catch (error) {
      this.#options.failures.report(error);
    }
  }

  /** Reads the store for all followed responses, because announcements may have been missed. */
  reload(): void {
    for (const replica of this.#replicas.values()) this.#load(replica);
  }

  #take(entry: FeedEntry): void {
    const replica = this.#replicas.get(entry.responseId);
    if (replica?.loading) replica.hold(entry);
    else if (replica?.take(entry) === false) this.#load(replica);
  }

  #load(replica: Replica): void {
    const { store, failures } = this.#options;
    if (store.isConnecting) return;
    replica.isStale = true;
    replica.loading ??= this.#loadAll(replica)
      .then(
        () => failures.recovered(),
        (error: unknown) => failures.report(error),
      )
      .finally(() => {
        replica.loading = undefined;
        if (this.#isFollowed(replica)) for (const entry of replica.release()) this.#take(entry);
      });
  }

  async #loadAll(replica: Replica): Promise<void> {
    while (replica.isStale) {
      replica.isStale = false;
      const entries = await this.#limitReads(() => this.#read(replica));
      // All viewers may have left, and others come, while it was read.
      if (!this.#isFollowed(replica)) return;
      const taken = entries.filter((entry) => replica.take(entry));
      // If nothing of a page could be taken, nothing of the next one could.
      if (taken.length > 0 && isFull(entries)) replica.isStale = true;
    }
  }

  #read(replica: Replica): Promise<FeedEntry[]> | FeedEntry[] {
    return this.#isFollowed(replica) ? this.#options.store.read(replica.responseId, replica.progress) : [];
  }

  #isFollowed(replica: Replica): boolean {
    return this.#replicas.get(replica.responseId) === replica;
  }
}

function isFull(entries: readonly FeedEntry[]): boolean {
  const bytes = entries.reduce((sum, { text = '' }) => sum + Buffer.byteLength(text), 0);
  return entries.length === page.entries || bytes >= page.bytes;
}
