/**
 * A backup is compressed by zstd where this Node has it (22.15 and newer), which takes a fraction of the time, and otherwise by
 * gzip. Both say by their first bytes which they are.
 */
import { pipeline, Readable, type Transform } from 'node:stream';
import zlib from 'node:zlib';
import { BackupError } from './backup-error.js';
import { damaged } from './backup-reader.js';

/** What the types of the oldest supported Node lack. */
interface Zstd {
  createZstdCompress?: (options: { params: Record<number, number>; writableHighWaterMark: number }) => Transform;
  createZstdDecompress?: () => Transform;
}
const zstd = zlib as Zstd;

/** `ZSTD_c_checksumFlag`, which has the end of the file checked. */
const checksumFlag = 201;

/**
 * Takes one part at a time: where parts still wait when it is told to end, Node's zstd ends its frame with the last of them and then
 * writes another one without content, and a file that is cut within that looks whole.
 */
export function compress(): Transform {
  const oneAtATime = { writableHighWaterMark: 1 };
  return zstd.createZstdCompress?.({ params: { [checksumFlag]: 1 }, ...oneAtATime }) ?? zlib.createGzip({ level: 3 });
}

/** What was compressed by either. */
export async function* decompressed(file: Readable): AsyncGenerator<Buffer> {
  const parts = file[Symbol.asyncIterator]() as AsyncIterableIterator<Buffer>;
  try {
    const first = await parts.next();
    const beginning = first.done ? Buffer.alloc(0) : first.value;
    const decompress = decompressorOf(beginning);
    // Its errors reach the reader below, because it destroys what it leads to.
    pipeline(Readable.from(together(beginning, parts), { objectMode: false }), decompress, () => undefined);
    for await (const part of decompress) yield part as Buffer;
  } catch (error) {
    throw isOfZlib(error) ? damaged(error.message, { cause: error }) : error;
  } finally {
    file.destroy();
  }
}

async function* together(first: Buffer, rest: AsyncIterableIterator<Buffer>): AsyncGenerator<Buffer> {
  yield first;
  yield* rest;
}

function decompressorOf(beginning: Buffer): Transform {
  if (beginning.subarray(0, 2).equals(Buffer.from('1f8b', 'hex'))) return zlib.createGunzip();
  if (!beginning.subarray(0, 4).equals(Buffer.from('28b52ffd', 'hex'))) {
    throw new BackupError('This is not a backup of Skein: it is neither compressed by gzip nor by zstd.');
  }
  const decompress = zstd.createZstdDecompress?.();
  if (decompress) return decompress;
  throw new BackupError(
    `The backup is compressed by zstd, which Node ${process.versions.node} does not know. Use Node 22.15 or newer, or first run ` +
      '`zstd -dc FILE | gzip`.',
  );
}

function isOfZlib(error: unknown): error is Error {
  const { code } = error as NodeJS.ErrnoException;
  return error instanceof Error && /^(Z_|ZSTD_)/.test(code ?? '');
}
