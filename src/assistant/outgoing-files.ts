/**
 * Attachments on their way to a provider. The SDK would hold each of them as bytes, as base64, as a part of a JSON text and as
 * the bytes of that, for as long as the answer takes. So it is given a short mark in place of a file, and the body of the
 * request is a stream in which the file, read in pieces, takes the place of its mark.
 */
import { randomBytes } from 'node:crypto';

export interface OutgoingFile {
  /** Bytes. */
  size: number;
  /** The bytes from `start` on, `length` of them. */
  read: (start: number, length: number) => Promise<Uint8Array>;
  /** Called once all of them were taken. */
  sent?: () => void;
}

/** Bytes that are read at once; each piece but the last must fill its base64. */
const pieceSize = 3 * 128 * 1024;
const markLength = 40;
const marks = /skeinfile[0-9a-f]{31}/g;

export class OutgoingFiles {
  readonly #files = new Map<string, OutgoingFile>();

  /** What stands for the file in a prompt: base64 to everybody who reads it, and nothing that a caller could guess. */
  add(file: OutgoingFile): string {
    const mark = `skeinfile${randomBytes(16).toString('hex')}`.slice(0, markLength);
    this.#files.set(mark, file);
    return mark;
  }

  remove(mark: string): void {
    this.#files.delete(mark);
  }

  /** The request with the files in its body; `null` where there is no mark in it. */
  fill(init: RequestInit | undefined): RequestInit | null {
    const text = init?.body;
    if (typeof text !== 'string' || this.#files.size === 0) return null;
    const parts = this.#partsOf(text);
    if (parts.every((part) => typeof part === 'string')) return null;
    const length = parts.reduce((sum, part) => sum + lengthOf(part), 0);
    const headers = new Headers(init?.headers);
    // Otherwise it would be sent in chunks of unknown number, which some servers refuse.
    headers.set('content-length', String(length));
    const filled: RequestInit & { duplex: 'half' } = {
      ...init,
      headers,
      body: streamOf(bytesOf(parts)),
      duplex: 'half',
    };
    return filled;
  }

  #partsOf(text: string): (string | OutgoingFile)[] {
    const parts: (string | OutgoingFile)[] = [];
    let start = 0;
    for (const { 0: mark, index } of text.matchAll(marks)) {
      const file = this.#files.get(mark);
      if (!file) continue;
      parts.push(text.slice(start, index), file);
      start = index + mark.length;
    }
    return [...parts, text.slice(start)];
  }
}

function lengthOf(part: string | OutgoingFile): number {
  return typeof part === 'string' ? Buffer.byteLength(part) : Math.ceil(part.size / 3) * 4;
}

/** The pieces as they are taken: the connection decides when the next one is read. */
function streamOf(pieces: AsyncGenerator<Uint8Array>): ReadableStream<Uint8Array> {
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { done, value } = await pieces.next();
        if (done) controller.close();
        else controller.enqueue(value);
      },
      async cancel() {
        await pieces.return(undefined);
      },
    },
    { highWaterMark: 0 },
  );
}

async function* bytesOf(parts: readonly (string | OutgoingFile)[]): AsyncGenerator<Uint8Array> {
  for (const part of parts) {
    if (typeof part === 'string') yield Buffer.from(part);
    else yield* base64Of(part);
  }
}

async function* base64Of({ size, read, sent }: OutgoingFile): AsyncGenerator<Uint8Array> {
  for (let start = 0; start < size; start += pieceSize) {
    const { buffer, byteOffset, byteLength } = await read(start, Math.min(pieceSize, size - start));
    yield Buffer.from(Buffer.from(buffer, byteOffset, byteLength).toString('base64'), 'latin1');
  }
  sent?.();
}
