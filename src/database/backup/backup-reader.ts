/**
 * Reads the text of a backup in parts of any size, without ever holding more of it than one part and one line of JSON. Counts and
 * digests are compared as the text comes, so whoever has read it to its end knows that it is whole.
 */
import { createHash } from 'node:crypto';
import type { z } from 'zod';
import { BackupError } from './backup-error.js';
import * as format from './format.js';
import { RowDigest } from './row-digest.js';

/** Longer than any line of JSON in a backup. */
const longestLine = 2 ** 20;
const lineFeed = Buffer.from('\n');
const terminator = Buffer.concat([lineFeed, format.endOfRows]);

export class BackupReader {
  readonly #parts: AsyncIterator<Buffer>;
  readonly #all = createHash('sha256');
  #rest: Buffer = Buffer.alloc(0);

  constructor(parts: AsyncIterable<Buffer>) {
    this.#parts = parts[Symbol.asyncIterator]();
  }

  async header(): Promise<format.Header> {
    const line = await this.#line();
    const any = format.anyHeader.safeParse(line);
    if (!any.success) throw foreign();
    if (any.data.version > format.formatVersion) {
      throw new BackupError(
        `The backup was made by Skein ${any.data.skein} in a newer format. Restore it with that version.`,
      );
    }
    return parse(format.header, line);
  }

  /** The rows of the next table, which must be this one. All of them must be read. */
  async *rows(table: string): AsyncGenerator<Buffer, format.TableEnd, undefined> {
    const start = parse(format.tableStart, await this.#line());
    if (start.table !== table) throw damaged(`"${table}" is not where it should be`);
    const digest = new RowDigest();
    for await (const part of this.#untilEndOfRows()) {
      digest.update(part);
      yield part;
    }
    const expected = parse(format.tableEnd, await this.#line());
    const { rows, digest: actual } = digest.result();
    if (rows !== expected.rows || actual !== expected.digest)
      throw damaged(`the rows of "${table}" are not those written`);
    return expected;
  }

  /** After the last table. */
  async sequences(): Promise<format.Sequences> {
    const { sequences } = parse(format.sequences, await this.#line());
    const digest = this.#all.copy().digest('hex');
    if (parse(format.end, await this.#line()).end !== digest) throw damaged('its digest is another one');
    // To its end, so that what compresses it compares its own checksum.
    if (this.#rest.length > 0 || !(await this.#parts.next()).done) throw damaged('something follows its end');
    return sequences;
  }

  async *#untilEndOfRows(): AsyncGenerator<Buffer> {
    // The rows begin at a line, so the terminator of a table without rows is found like any other.
    let held = Buffer.concat([lineFeed, this.#rest]);
    let begin = 1;
    for (;;) {
      const end = held.indexOf(terminator);
      if (end >= 0) {
        this.#rest = held.subarray(end + terminator.length);
        if (end + 1 > begin) yield held.subarray(begin, end + 1);
        return;
      }
      // The last bytes may be the beginning of the terminator.
      const safe = held.length - terminator.length + 1;
      if (safe > begin) {
        yield held.subarray(begin, safe);
        held = held.subarray(safe);
        begin = 0;
      }
      held = Buffer.concat([held, await this.#next()]);
    }
  }

  async #line(): Promise<unknown> {
    for (;;) {
      const end = this.#rest.indexOf(lineFeed);
      if (end >= 0) {
        const line = this.#rest.subarray(0, end + 1);
        this.#rest = this.#rest.subarray(end + 1);
        this.#all.update(line);
        return parseJson(line.toString());
      }
      if (this.#rest.length > longestLine) throw foreign();
      this.#rest = Buffer.concat([this.#rest, await this.#next()]);
    }
  }

  async #next(): Promise<Buffer> {
    const { done, value } = await this.#parts.next();
    if (done) throw damaged('it ends too early');
    return value;
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

function parse<T>(schema: z.ZodType<T>, line: unknown): T {
  const parsed = schema.safeParse(line);
  if (!parsed.success) throw damaged('a line is not as it should be');
  return parsed.data;
}

function foreign(): BackupError {
  return new BackupError('This is not a backup of Skein, or its beginning is damaged. Nothing was changed.');
}

export function damaged(how: string, options?: ErrorOptions): BackupError {
  return new BackupError(`The backup is damaged: ${how}. Nothing was changed. Use another copy of it.`, options);
}
