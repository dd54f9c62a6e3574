/**
 * Carries text through PostgreSQL: one statement for all runs writes it to an unlogged table and to notifications. No row is
 * written twice, so a batch whose answer was lost is sent again as it was.
 */
import type { PrismaClient } from '../../../../prisma/generated/client/client.js';
import { encodeEntries, type FeedEntry } from '../feed/feed-entry.js';
import { type FeedStore, type Outcome, type Progress, page } from '../feed/feed-store.js';
import type { Batch } from '../feed/outgoing-attempt.js';
import type { TokenKind } from '../log/attempt-text.js';

export interface PostgresStoreOptions {
  database: PrismaClient;
  /** Names this process. */
  node: string;
  /** The channel of the notifications. */
  channel: string;
}

/** A row of `token_chunk`. */
interface Row {
  epoch: bigint;
  seq: number;
  kind: TokenKind;
  body: string;
}

export class PostgresStore implements FeedStore {
  readonly takesRepeats = true;
  readonly #options: PostgresStoreOptions;

  constructor(options: PostgresStoreOptions) {
    this.#options = options;
  }

  async send(batches: readonly Batch[]): Promise<Outcome[]> {
    const { database, node, channel } = this.#options;
    // Viewers of an ended response read the stored message. The rows of a later attempt of another node stay.
    const ended = batches.filter(({ isLast }) => isLast).map(({ attempt }) => attempt);
    const stored = batches.filter(({ isLast }) => !isLast).flatMap(({ entries }) => entries);
    const announcements = encodeEntries(
      node,
      batches.flatMap(({ entries }) => entries),
    );
    await database.$queryRaw`
      WITH gone AS (
        DELETE FROM token_chunk c
        USING unnest(${ended.map(({ responseId }) => responseId)}::text[], ${ended.map(({ epoch }) => epoch)}::bigint[]) AS ended (id, epoch)
        WHERE c.response_id = ended.id AND c.epoch <= ended.epoch),
      stored AS (
        INSERT INTO token_chunk (response_id, epoch, seq, kind, body)
        SELECT * FROM unnest(${stored.map(({ responseId }) => responseId)}::text[], ${stored.map(({ epoch }) => epoch)}::bigint[],
          ${stored.map(({ seq }) => seq)}::int[], ${stored.map(({ kind }) => kind)}::text[],
          ${stored.map(({ text }) => text ?? '')}::text[])
        ON CONFLICT DO NOTHING)
      SELECT pg_notify(${channel}, payload)::text FROM unnest(${announcements}::text[]) AS payload`;
    return batches.map(() => 'stored');
  }

  async read(responseId: string, { epoch, next }: Progress): Promise<FeedEntry[]> {
    const rows = await this.#options.database.$queryRaw<Row[]>`
      SELECT epoch, seq, kind, body FROM (
        SELECT epoch, seq, kind, body, sum(octet_length(body)) OVER (ORDER BY seq) - octet_length(body) AS before FROM (
          SELECT epoch, seq, kind, body FROM token_chunk
          WHERE response_id = ${responseId}
            AND epoch = (SELECT max(epoch) FROM token_chunk WHERE response_id = ${responseId})
            AND (epoch, seq) >= (${epoch}, ${next})
          ORDER BY seq LIMIT ${page.entries}::int) AS following) AS measured
      WHERE before < ${page.bytes} ORDER BY seq`;
    return rows.map(({ epoch: big, seq, kind, body: text }) => {
      return { responseId, epoch: Number(big), seq, kind, text, isFirst: seq === 0 };
    });
  }
}
