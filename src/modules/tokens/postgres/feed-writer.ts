/**
 * Publishes the text of this process's worker to the other processes: every few milliseconds one statement writes the new
 * text of all runs to an unlogged table and to notifications. It never delays or fails a response: text that cannot be sent
 * is kept up to a bound and sent later, and dropped beyond it, because the stored message has everything.
 */
import type { Logger } from 'pino';
import type { PrismaClient } from '../../../../prisma/generated/client/client.js';
import { DelayedTask } from '../../../platform/async/delayed-task.js';
import type { TokenEntry } from '../log/attempt-text.js';
import type { TokenWriter } from '../log/token-log.js';
import { encodeFeed, type FeedChunk } from './feed-message.js';

export interface FeedWriterOptions {
  database: PrismaClient;
  logger: Logger;
  /** Names this process. */
  node: string;
  channel: string;
  flushMs?: number;
}

const maxPendingUnits = 4 * 1024 * 1024;

interface Stream {
  epoch: number;
  nextSeq: number;
}

export class PostgresFeedWriter implements TokenWriter {
  readonly #options: Required<FeedWriterOptions>;
  readonly #streams = new Map<string, Stream>();
  /** Chunks that were sent without an answer. They may have arrived, so they are sent again unchanged. */
  #unanswered: FeedChunk[] = [];
  #pending: FeedChunk[] = [];
  #pendingUnits = 0;
  readonly #flushes = new DelayedTask(() => this.#flush());

  constructor(options: FeedWriterOptions) {
    this.#options = { flushMs: 10, ...options };
  }

  open(responseId: string, epoch: number): boolean {
    this.#streams.set(responseId, { epoch, nextSeq: 0 });
    return true;
  }

  append(responseId: string, epoch: number, { kind, text }: TokenEntry): boolean {
    const stream = this.#streams.get(responseId);
    if (stream?.epoch !== epoch) return false;
    const last = this.#lastOf(responseId, epoch);
    if (last?.kind === kind && last.text !== undefined) last.text += text;
    else this.#push(stream, { responseId, epoch, kind, text });
    this.#pendingUnits += text.length;
    if (this.#pendingUnits > maxPendingUnits) this.#giveUp();
    this.#schedule();
    return true;
  }

  end(responseId: string, epoch: number): void {
    const stream = this.#streams.get(responseId);
    if (stream?.epoch !== epoch) return;
    this.#push(stream, { responseId, epoch, kind: 'end', text: undefined });
    this.#streams.delete(responseId);
    this.#schedule();
  }

  /** Sends the remaining chunks. */
  async close(): Promise<void> {
    await this.#flushes.close();
    await this.#flush();
  }

  /** The chunk to append the next text to: only the newest of the response, to keep the order of kinds. */
  #lastOf(responseId: string, epoch: number): FeedChunk | undefined {
    const last = this.#pending.findLast((chunk) => chunk.responseId === responseId);
    return last?.epoch === epoch ? last : undefined;
  }

  #push(stream: Stream, chunk: Omit<FeedChunk, 'seq'>): void {
    this.#pending.push({ ...chunk, seq: stream.nextSeq });
    stream.nextSeq += 1;
  }

  #schedule(): void {
    this.#flushes.request(this.#options.flushMs);
  }

  /** Sends the pending chunks. Returns the delay until the next attempt; null if nothing is left. */
  async #flush(): Promise<number | null> {
    this.#unanswered.push(...this.#pending.splice(0));
    try {
      if (this.#unanswered.length > 0) await this.#send(this.#unanswered);
      this.#unanswered = [];
      this.#pendingUnits = this.#pending.reduce((sum, { text }) => sum + (text?.length ?? 0), 0);
    } catch (error) {
      const chunks = this.#unanswered.length;
      this.#options.logger.warn(
        { err: error, chunks },
        'text could not be sent to other nodes; it is kept and sent again',
      );
    }
    return this.#pending.length > 0 || this.#unanswered.length > 0 ? this.#options.flushMs : null;
  }

  async #send(chunks: readonly FeedChunk[]): Promise<void> {
    const { database, node, channel } = this.#options;
    const ends = chunks.filter((chunk) => chunk.kind === 'end');
    // Viewers of an ended response read the stored message. The rows of a later attempt of another node stay.
    const hasEnded = ({ responseId, epoch }: FeedChunk) =>
      ends.some((end) => end.responseId === responseId && end.epoch >= epoch);
    const stored = chunks.filter((chunk) => !hasEnded(chunk));
    await database.$queryRaw`
      WITH gone AS (
        DELETE FROM token_chunk c
        USING unnest(${ends.map((end) => end.responseId)}::text[], ${ends.map((end) => end.epoch)}::bigint[]) AS ended (id, epoch)
        WHERE c.response_id = ended.id AND c.epoch <= ended.epoch),
      stored AS (
        INSERT INTO token_chunk (response_id, epoch, seq, kind, body)
        SELECT * FROM unnest(${stored.map((chunk) => chunk.responseId)}::text[], ${stored.map((chunk) => chunk.epoch)}::bigint[],
          ${stored.map((chunk) => chunk.seq)}::int[], ${stored.map((chunk) => chunk.kind)}::text[],
          ${stored.map((chunk) => chunk.text ?? '')}::text[])
        ON CONFLICT DO NOTHING)
      SELECT pg_notify(${channel}, payload)::text FROM unnest(${encodeFeed(node, chunks)}::text[]) AS payload`;
  }

  #giveUp(): void {
    this.#options.logger.error(
      'too much text is waiting to be sent to other nodes; their viewers receive it at the end of the response',
    );
    for (const { responseId } of this.#pending) this.#streams.delete(responseId);
    this.#pending = [];
    this.#pendingUnits = 0;
  }
}
