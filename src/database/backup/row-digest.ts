/**
 * The digest of a table's rows, whatever their order: a restored table has the same one, although PostgreSQL promises no order
 * in which it reads rows. It is the sum of the SHA-256 of all rows, in eight lanes of 32 bits, so that a row that is missing,
 * changed or twice there changes it.
 */
import { createHash, type Hash, hash } from 'node:crypto';

const lineFeed = 10;

export class RowDigest {
  #rows = 0;
  readonly #lanes = new Uint32Array(8);
  /** The beginning of a row whose end is in a later part. */
  #begun: Hash | undefined;

  /** Takes the next part of the rows: lines of COPY's text format, which may be cut anywhere. */
  update(part: Buffer): void {
    let start = 0;
    for (let end = part.indexOf(lineFeed); end >= 0; end = part.indexOf(lineFeed, start)) {
      const line = part.subarray(start, end);
      this.#add(this.#begun ? this.#begun.update(line).digest() : hash('sha256', line, 'buffer'));
      this.#begun = undefined;
      start = end + 1;
    }
    if (start === part.length) return;
    this.#begun ??= createHash('sha256');
    this.#begun.update(part.subarray(start));
  }

  result(): { rows: number; digest: string } {
    const bytes = Buffer.alloc(32);
    for (const [lane, value] of this.#lanes.entries()) bytes.writeUInt32BE(value, lane * 4);
    return { rows: this.#rows, digest: bytes.toString('hex') };
  }

  #add(digest: Buffer): void {
    this.#rows += 1;
    for (const [lane, value] of this.#lanes.entries()) this.#lanes[lane] = value + digest.readUInt32BE(lane * 4);
  }
}
