/** How the reader of a node keeps what it knows of a response together: notifications, and the table where one is missing. */
import pg from 'pg';
import { expect, it, vi } from 'vitest';
import { Prisma, type PrismaClient } from '../../../prisma/generated/client/client.js';
import { encodeEntries, type FeedEntry } from '../../../src/modules/tokens/feed/feed-entry.js';
import { FeedFailures } from '../../../src/modules/tokens/feed/feed-failures.js';
import { FeedReader } from '../../../src/modules/tokens/feed/feed-reader.js';
import { TokenLog } from '../../../src/modules/tokens/log/token-log.js';
import { PostgresStore } from '../../../src/modules/tokens/postgres/postgres-store.js';
import { connected, openedDatabase } from '../../support/database/opened-database.js';
import { waitingStatements } from '../../support/database/waiting-statements.js';
import { runSql } from '../../support/server.js';
import { logger } from '../../support/silent-logger.js';
import { patience } from './feed-viewer.js';

const opened = openedDatabase();

function readerOf(log: TokenLog, connection: Pick<PrismaClient, '$queryRaw'>): FeedReader {
  const node = 'here';
  const store = new PostgresStore({ database: connection as PrismaClient, node, channel: 'text' });
  return new FeedReader({ store, log, failures: new FeedFailures(logger, 'it'), node, isDeferred: () => false });
}

/** A viewer here, of a response that another node makes. */
function viewing(responseId: string, connection: Pick<PrismaClient, '$queryRaw'> = opened.client) {
  const log = new TokenLog();
  const reader = readerOf(log, connection);
  const viewer = log.attach(responseId);
  const notify = (...chunks: Pick<FeedEntry, 'seq' | 'kind' | 'text'>[]) => {
    const all = chunks.map((chunk) => ({ responseId, epoch: 3, isFirst: chunk.seq === 0, ...chunk }));
    for (const payload of encodeEntries('there', all)) reader.receive(payload);
  };
  const seen = () => viewer.next({ epoch: 3, text: 0, thinking: 0 }, { thinking: false, maxBytes: 1000 })?.text;
  return { reader, viewer, notify, seen };
}

it('an attempt followed from its first chunk is delivered without reading the table', async () => {
  const { reader, viewer, notify, seen } = viewing('msg_followed');
  reader.follow('msg_followed');
  // The table stays empty: whoever asks it is told of nothing. The look with which following begins must be over first.
  await vi.waitFor(() => {
    notify({ seq: 0, kind: 'text', text: 'Hel' });
    expect(seen()).toBe('Hel');
  }, patience);
  notify({ seq: 1, kind: 'text', text: 'lo' });
  expect(seen()).toBe('Hello');
  viewer.close();
});

it('notifications during a read of the table are delivered after it, even if their rows are gone by then', async () => {
  const { reader, viewer, notify, seen } = viewing('msg_late');
  const client = new pg.Client({ connectionString: opened.url });
  await client.connect();
  await client.query('BEGIN');
  await client.query('LOCK TABLE token_chunk');
  reader.follow('msg_late');
  notify({ seq: 1, kind: 'text', text: 'lo' }, { seq: 2, kind: 'end', text: undefined });
  await client.query(
    "INSERT INTO token_chunk (response_id, epoch, seq, kind, body) VALUES ('msg_late', 3, 0, 'text', 'Hel')",
  );
  await client.query('COMMIT');
  await client.end();
  await vi.waitFor(() => expect(seen()).toBe('Hello'), patience);
  expect(viewer.hasWholeText({ epoch: 3, text: 5, thinking: 0 })).toBe(true);
  viewer.close();
});

it('text from before the first viewer is read in pages of at most 256 KiB and one chunk', async () => {
  const [chunk, chunks] = ['x'.repeat(100 * 1024), 9];
  await runSql(
    opened.url,
    Prisma.sql`
      INSERT INTO token_chunk (response_id, epoch, seq, kind, body)
      SELECT 'msg_paged', 3, seq, 'text', ${chunk} FROM generate_series(0, ${chunks}::int - 1) AS seq`,
  );
  const pages: number[] = [];
  const $queryRaw = async (query: TemplateStringsArray, ...values: unknown[]) => {
    const rows = await opened.client.$queryRaw<unknown[]>(query, ...values);
    pages.push(rows.length);
    return rows;
  };
  const { reader, viewer } = viewing('msg_paged', { $queryRaw } as Pick<PrismaClient, '$queryRaw'>);
  reader.follow('msg_paged');
  const whole = { epoch: 3, text: chunk.length * chunks - 1, thinking: 0 };
  await vi.waitFor(() => expect(viewer.next(whole, { thinking: false, maxBytes: 10 })?.text).toBe('x'), patience);
  // The last page is full too: another look shows that nothing follows.
  await vi.waitFor(() => expect(pages).toEqual([3, 3, 3, 0]), patience);
  viewer.close();
});

it('after a gap, at most four responses are read at the same time', async () => {
  const log = new TokenLog();
  const wide = connected(opened.url, { maxConnections: 12 });
  const reader = readerOf(log, wide);
  const client = new pg.Client({ connectionString: opened.url });
  await client.connect();
  await client.query('BEGIN; LOCK TABLE token_chunk');
  for (let n = 0; n < 12; n += 1) reader.follow(`msg_gap_${n}`);
  await vi.waitFor(async () => expect(await waitingStatements(opened.client)).toBeGreaterThanOrEqual(4), patience);
  expect(await waitingStatements(opened.client)).toBe(4);
  await client.query('ROLLBACK');
  await client.end();
});
