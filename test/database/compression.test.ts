/** What a backup is compressed to has one end, so that a file that was cut short is never taken for whole. */
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { compress, decompressed } from '../../src/database/backup/compression.js';

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
