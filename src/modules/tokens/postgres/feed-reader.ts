/**
 * Brings what other processes generate into the token log of this one, for the responses that somebody here follows. A
 * notification is the fast way; the table fills every gap: what was said before the first viewer came, what did not fit
 * into a notification, and what was missed while the connection was down.
 */
import pLimit from 'p-limit';
import type { Logger } from 'pino';
import type { PrismaClient } from '../../../../prisma/generated/client/client.js';
import { decodeFeed, type FeedChunk } from './feed-message.js';
import type { TokenKind } from '../log/attempt-text.js';
import type { TokenLog } from '../log/token-log.js';

export interface FeedReaderOptions {
  database: PrismaClient;
  log: TokenLog;
  logger: Logger;
  /** Names this process: what it sent itself is in the log already. */
  node: string;
}

/** How far the log is with a response of another process. */
interface Followed {
  epoch: number;
  nextSeq: number;
  /** True while the log has this attempt from this very process, or from before: nothing may be added to it then. */
  isLocal: boolean;
  loading: Promise<void> | undefined;
  /** True where the table has what this process does not: look once more. */
  stale: boolean;
  /** What came while loading, to be taken behind it: the end of a response is notified when its rows are gone already. */
  held: FeedChunk[];
}

/** Beyond it the table is asked again instead: each chunk has at most 5,000 bytes of text. */
const maxHeld = 100;
/** What one look at the table brings at most: rows, and bytes of text until the last of them. */
const page = { rows: 1000, bytes: 256 * 1024 };
/** Looks at the same time: after a gap every response that is followed needs one, and the pool is not for those alone. */
const looksAtOnce = 4;

export class PostgresFeedReader {
  readonly #options: FeedReaderOptions;
  readonly #followed = new Map<string, Followed>();
  readonly #limitLooks = pLimit(looksAtOnce);

  constructor(options: FeedReaderOptions) {
    this.#options = options;
  }

  /** A first viewer came here. */
  follow(responseId: string): void {
    const followed = { epoch: -1, nextSeq: 0, isLocal: false, loading: undefined, stale: false, held: [] };
    this.#followed.set(responseId, followed);
    this.#load(responseId, followed);
  }

  /** The last viewer left: what was brought here for them is of no use any more. */
  unfollow(responseId: string): void {
    const followed = this.#followed.get(responseId);
    this.#followed.delete(responseId);
    if (followed && !followed.isLocal) this.#options.log.forget(responseId, followed.epoch);
  }

  /** A notification of the feed's channel. */
  receive(payload: string): void {
    const { node, chunks } = decodeFeed(payload);
    if (node === this.#options.node) return;
    for (const chunk of chunks) {
      const followed = this.#followed.get(chunk.responseId);
      if (followed) this.#take(chunk, followed);
    }
  }

  /** Notifications may have been missed. */
  reload(): void {
    for (const [responseId, followed] of this.#followed) this.#load(responseId, followed);
  }

  #take(chunk: FeedChunk, followed: Followed): void {
    if (chunk.epoch < followed.epoch || (chunk.epoch === followed.epoch && chunk.seq < followed.nextSeq)) return;
    if (followed.loading) {
      hold(chunk, followed);
      return;
    }
    // An attempt that is followed from its first piece on needs no look at the table.
    if (chunk.epoch > followed.epoch && chunk.seq === 0) this.#begin(chunk, followed);
    if (followed.isLocal && chunk.epoch === followed.epoch) return;
    const isNext = chunk.epoch === followed.epoch && chunk.seq === followed.nextSeq;
    if (isNext && (chunk.text !== undefined || chunk.kind === 'end')) this.#write(chunk, followed);
    else this.#load(chunk.responseId, followed);
  }

  #begin({ responseId, epoch }: Pick<FeedChunk, 'responseId' | 'epoch'>, followed: Followed): void {
    followed.epoch = epoch;
    followed.nextSeq = 0;
    followed.isLocal = !this.#options.log.open(responseId, epoch);
  }

  #write(chunk: FeedChunk, followed: Followed): void {
    const { log } = this.#options;
    followed.nextSeq = chunk.seq + 1;
    if (chunk.kind === 'end') log.end(chunk.responseId, chunk.epoch);
    else log.append(chunk.responseId, chunk.epoch, { kind: chunk.kind, text: chunk.text ?? '' });
  }

  #load(responseId: string, followed: Followed): void {
    followed.stale = true;
    followed.loading ??= this.#loadAll(responseId, followed)
      .catch((error: unknown) => {
        this.#options.logger.warn({ err: error, responseId }, 'the text of another node could not be read');
      })
      .finally(() => {
        followed.loading = undefined;
        if (this.#followed.get(responseId) !== followed) return;
        for (const chunk of followed.held.splice(0)) this.#take(chunk, followed);
      });
  }

  async #loadAll(responseId: string, followed: Followed): Promise<void> {
    while (followed.stale) {
      followed.stale = false;
      const { epoch, nextSeq } = followed;
      const rows = await this.#limitLooks(() => this.#readPage(responseId, followed));
      // Everybody may have left while the rows were read.
      if (this.#followed.get(responseId) !== followed) return;
      for (const row of rows) this.#takeStored(responseId, followed, row);
      // A page of which nothing could be taken is followed by none that could.
      if (isFull(rows) && (followed.epoch > epoch || followed.nextSeq > nextSeq)) followed.stale = true;
    }
  }

  #readPage(responseId: string, { epoch, nextSeq }: Followed): Promise<Row[]> {
    return this.#options.database.$queryRaw<Row[]>`
      SELECT epoch, seq, kind, body FROM (
        SELECT epoch, seq, kind, body, sum(octet_length(body)) OVER (ORDER BY seq) - octet_length(body) AS before FROM (
          SELECT epoch, seq, kind, body FROM token_chunk
          WHERE response_id = ${responseId}
            AND epoch = (SELECT max(epoch) FROM token_chunk WHERE response_id = ${responseId})
            AND (epoch > ${epoch} OR seq >= ${nextSeq})
          ORDER BY seq LIMIT ${page.rows}::int) AS following) AS measured
      WHERE before < ${page.bytes} ORDER BY seq`;
  }

  /** A stored chunk is taken only in sequence: after a gap the log would not be a prefix of the text any more. */
  #takeStored(responseId: string, followed: Followed, { epoch: bigEpoch, seq, kind, body }: Row): void {
    const epoch = Number(bigEpoch);
    if (epoch > followed.epoch) this.#begin({ responseId, epoch }, followed);
    if (!followed.isLocal && epoch === followed.epoch && seq === followed.nextSeq)
      this.#write({ responseId, epoch, seq, kind, text: body }, followed);
  }
}

function hold(chunk: FeedChunk, followed: Followed): void {
  if (followed.held.length < maxHeld) followed.held.push(chunk);
  else followed.stale = true;
}

function isFull(rows: readonly Row[]): boolean {
  const bytes = rows.reduce((sum, { body }) => sum + Buffer.byteLength(body), 0);
  return rows.length === page.rows || bytes >= page.bytes;
}

interface Row {
  epoch: bigint;
  seq: number;
  kind: TokenKind;
  body: string;
}
