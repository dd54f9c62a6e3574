/**
 * Copies the text of responses that other processes generate and viewers here follow into the token log of this process.
 * Notifications are the fast way; the table fills the gaps: text from before the first viewer, chunks that did not fit
 * into a notification, and those that were missed while the connection was down.
 */
import pLimit from 'p-limit';
import type { Logger } from 'pino';
import type { PrismaClient } from '../../../../prisma/generated/client/client.js';
import type { Followers, TokenLog } from '../log/token-log.js';
import { Replicas } from '../replica.js';
import { decodeFeed, type FeedChunk } from './feed-message.js';
import { PostgresReplica, type StoredChunk } from './replica.js';

export interface FeedReaderOptions {
  database: PrismaClient;
  log: TokenLog;
  logger: Logger;
  /** Names this process, so that it skips its own chunks: the log already has them. */
  node: string;
  /** Whether this process generates the response and no other listens: then the table has nothing of it. Default: no. */
  isGeneratedAlone?: (responseId: string) => boolean;
}

/** Maximum of one read of the table: rows, and bytes of text before the last of them. */
const page = { rows: 1000, bytes: 256 * 1024 };
/** After a gap every followed response needs a read, which must not exhaust the connection pool. */
const readsAtOnce = 4;

export class PostgresFeedReader implements Followers {
  readonly #options: FeedReaderOptions;
  readonly #replicas: Replicas<PostgresReplica>;
  readonly #limitReads = pLimit(readsAtOnce);

  constructor(options: FeedReaderOptions) {
    this.#options = options;
    this.#replicas = new Replicas((responseId) => new PostgresReplica(responseId, options.log));
  }

  follow(responseId: string): void {
    const replica = this.#replicas.follow(responseId);
    if (!this.#options.isGeneratedAlone?.(responseId)) this.#load(replica);
  }

  unfollow(responseId: string): void {
    this.#replicas.unfollow(responseId);
  }

  /** Handles a notification of the feed's channel. */
  receive(payload: string): void {
    const { node, chunks } = decodeFeed(payload);
    if (node === this.#options.node) return;
    for (const chunk of chunks) {
      const replica = this.#replicas.get(chunk.responseId);
      if (replica) this.#take(replica, chunk);
    }
  }

  /** Reads the table for all followed responses, because notifications may have been missed. */
  reload(): void {
    for (const replica of this.#replicas.all()) this.#load(replica);
  }

  #take(replica: PostgresReplica, chunk: FeedChunk): void {
    if (replica.loading) replica.hold(chunk);
    else if (!replica.take(chunk)) this.#load(replica);
  }

  #load(replica: PostgresReplica): void {
    replica.isStale = true;
    replica.loading ??= this.#loadAll(replica)
      .catch((error: unknown) => {
        const { responseId } = replica;
        this.#options.logger.warn({ err: error, responseId }, 'the text of another node could not be read');
      })
      .finally(() => {
        replica.loading = undefined;
        if (!this.#replicas.has(replica)) return;
        for (const chunk of replica.release()) this.#take(replica, chunk);
      });
  }

  async #loadAll(replica: PostgresReplica): Promise<void> {
    while (replica.isStale) {
      replica.isStale = false;
      const { epoch, nextSeq } = replica;
      const rows = await this.#limitReads(() => this.#readPage(replica));
      // All viewers may have left while the rows were read.
      if (!this.#replicas.has(replica)) return;
      for (const row of rows) replica.takeStored(row);
      // If nothing of a page could be taken, nothing of the next one could.
      if (isFull(rows) && (replica.epoch > epoch || replica.nextSeq > nextSeq)) replica.isStale = true;
    }
  }

  #readPage({ responseId, epoch, nextSeq }: PostgresReplica): Promise<StoredChunk[]> {
    return this.#options.database.$queryRaw<StoredChunk[]>`
      SELECT epoch, seq, kind, body FROM (
        SELECT epoch, seq, kind, body, sum(octet_length(body)) OVER (ORDER BY seq) - octet_length(body) AS before FROM (
          SELECT epoch, seq, kind, body FROM token_chunk
          WHERE response_id = ${responseId}
            AND epoch = (SELECT max(epoch) FROM token_chunk WHERE response_id = ${responseId})
            AND (epoch > ${epoch} OR seq >= ${nextSeq})
          ORDER BY seq LIMIT ${page.rows}::int) AS following) AS measured
      WHERE before < ${page.bytes} ORDER BY seq`;
  }
}

function isFull(rows: readonly StoredChunk[]): boolean {
  const bytes = rows.reduce((sum, { body }) => sum + Buffer.byteLength(body), 0);
  return rows.length === page.rows || bytes >= page.bytes;
}
