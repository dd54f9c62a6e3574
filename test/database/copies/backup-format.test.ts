/**
 * The text of a backup: which tables it holds, that it comes a part at a time, and that no part of it can be missing or changed
 * unnoticed.
 */
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { BackupError } from '../../../src/database/backup/backup-error.js';
import { checkBackup } from '../../../src/database/backup/check-backup.js';
import { compress, decompressed } from '../../../src/database/backup/compression.js';
import { RowDigest } from '../../../src/database/backup/row-digest.js';
import { keptTables, leftOutTables } from '../../../src/database/backup/tables.js';
import { takeBackup } from '../../../src/database/backup/take-backup.js';
import { createTestDatabase, type TestDatabase } from '../../support/database/database.js';
import { openedDatabase } from '../../support/database/opened-database.js';
import { runSql } from '../../support/server.js';
import { countRows, inParts, stage, textOf } from './sample.js';

let database: TestDatabase;
let text: Buffer;
beforeAll(async () => {
  database = await createTestDatabase();
  await stage(database.url);
  text = await textOf(database);
});
afterAll(() => database.drop());

describe('the tables of a backup', () => {
  it('are all tables of the database, except those that are left out for a reason', async () => {
    const rows = await runSql(
      database.url,
      "SELECT relname AS name FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p') ORDER BY 1",
    );
    const named = [...keptTables, ...Object.keys(leftOutTables)].toSorted();
    // A table that is missing here is in no backup: name it in src/database/backup/tables.ts.
    expect(named).toEqual((rows as { name: string }[]).map(({ name }) => name));
    expect(Object.entries(leftOutTables).filter(([, reason]) => reason.length < 20)).toEqual([]);
  });

  it('leave out whatever the server may lose itself', async () => {
    const rows = await runSql(
      database.url,
      "SELECT relname AS name FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relpersistence = 'u' AND relkind = 'r'",
    );
    for (const { name } of rows as { name: string }[]) expect(leftOutTables).toHaveProperty(name);
  });

  it('are those of its header, in one order', async () => {
    const { header } = await checkBackup(inParts(text));
    expect(header.tables.map(({ name }) => name)).toEqual(keptTables);
  });
});

describe('the text of a backup', () => {
  it.each([1, 2, 3, 7, 64, 1_000_000])('is read in parts of %i bytes', async (size) => {
    const { rows } = await checkBackup(inParts(text, size));
    expect(rows).toBe(await countRows(database.url));
  });

  it('is refused wherever it ends too early', async () => {
    for (let length = 0; length < text.length; length += 97) {
      await expect(checkBackup(inParts(text.subarray(0, length))), `${length}`).rejects.toThrow(BackupError);
    }
    await expect(checkBackup(inParts(text.subarray(0, -1)))).rejects.toThrow(
      'The backup is damaged: it ends too early.',
    );
  });

  it('is refused wherever a byte is another one', async () => {
    for (let place = 0; place < text.length; place += 41) {
      const damaged = Buffer.from(text);
      damaged[place] = (damaged[place] ?? 0) ^ 1;
      await expect(checkBackup(inParts(damaged)), `${place}`).rejects.toThrow(BackupError);
    }
  });

  it('is refused with something behind it, and if it is something else', async () => {
    const longer = Buffer.concat([text, Buffer.from('x')]);
    await expect(checkBackup(inParts(longer))).rejects.toThrow('something follows its end');
    for (const other of ['', 'x', '{}\n', 'PGDMP', '[1]\n', 'x'.repeat(3_000_000)]) {
      await expect(checkBackup(inParts(Buffer.from(other)))).rejects.toThrow(BackupError);
    }
  });

  it('is refused in a format of the future, with the version to use', async () => {
    const future = Buffer.from(text.toString().replace('"version":1,"skein":"0.1.0"', '"version":2,"skein":"9.0.0"'));
    const refused = expect(checkBackup(inParts(future))).rejects;
    await refused.toThrow('The backup was made by Skein 9.0.0 in a newer format. Restore it with that version.');
  });
});

describe('the digest of rows', () => {
  function digestOf(rows: string, size = 100): unknown {
    const digest = new RowDigest();
    for (let start = 0; start < rows.length; start += size) digest.update(Buffer.from(rows.slice(start, start + size)));
    return digest.result();
  }

  it('is the same in any order and in any parts, and another one for other rows', () => {
    const digest = digestOf('one\ntwo\nthree\n');
    expect(digest).toEqual(digestOf('three\none\ntwo\n', 1));
    for (const other of [
      'one\ntwo\nthree\none\n',
      'one\ntwo\n',
      'one\ntwo\nthref\n',
      'one\ntwo\n\nthree\n',
      'onet\nwo\nthree\n',
    ]) {
      expect(digestOf(other)).not.toEqual(digest);
    }
    expect(digestOf('one\none\n')).not.toEqual(digestOf('two\ntwo\n'));
  });
});

/** What that comes to in memory is seen in `test/cli/copies/memory.stress.test.ts`. */
describe('a backup', () => {
  const megabyte = 1024 * 1024;
  /** More than sockets hold. */
  const rowBytes = 20 * megabyte;
  const large = openedDatabase({
    fill: [
      `INSERT INTO service_secret SELECT 'large', repeat('x', ${rowBytes})`,
      `INSERT INTO service_secret SELECT n::text, 'small' FROM generate_series(1, 10) n`,
    ],
  });

  it('comes in parts of less than a megabyte, however large a row is', async () => {
    const sizes: number[] = [];
    for await (const { length } of takeBackup({ url: large.url })) sizes.push(length);
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeGreaterThan(rowBytes);
    expect(Math.max(...sizes)).toBeLessThan(megabyte);
  });

  it('has the database wait while nobody reads on', async () => {
    const parts = takeBackup({ url: large.url });
    let part = await parts.next();
    while (!part.value?.includes('xxx')) part = await parts.next();
    const waits = `SELECT wait_event FROM pg_stat_activity WHERE datname = current_database() AND query LIKE 'COPY %'`;
    await expect.poll(() => runSql(large.url, waits)).toEqual([{ wait_event: 'ClientWrite' }]);
    await parts.return();
  });
});

async function compressed(parts: readonly Buffer[]): Promise<Buffer> {
  const compressor = compress();
  const [content] = await Promise.all([
    buffer(compressor),
    pipeline(Readable.from(parts, { objectMode: false }), compressor),
  ]);
  return content;
}

const read = (content: Buffer) => buffer(Readable.from(decompressed(Readable.from([content]))));

it('a compressed text without its last byte is refused, in whatever parts it was written', async () => {
  const part = fc.uint8Array({ minLength: 1, maxLength: 20_000 }).map((bytes) => Buffer.from(bytes));
  await fc.assert(
    fc.asyncProperty(fc.array(part, { minLength: 1, maxLength: 12 }), async (parts) => {
      const content = await compressed(parts);
      expect((await read(content)).equals(Buffer.concat(parts))).toBe(true);
      await expect(read(content.subarray(0, -1))).rejects.toThrow('damaged');
    }),
  );
});
