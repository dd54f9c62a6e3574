/**
 * Streams attachments to a provider. The SDK would keep four copies of each in memory (bytes, base64, JSON and encoded
 * JSON) until the response ends. It is therefore given a short placeholder for each file, and the body of the request
 * is a stream in which the file, read in pieces, replaces the placeholder.
 */
import { randomBytes } from 'node:crypto';
import { ReadableStream } from 'node:stream/web';

export interface OutgoingFile {
  /** In bytes. */
  size: number;
  /** Reads `length` bytes from `start` on. */
  read: (start: number, length: number) => Promise<Uint8Array>;
  /** Called once all bytes were read. */
  sent?: () => void;
}

/** The body of a request, with its files. */
export interface OutgoingBody {
  /** In bytes. */
  length: number;
  /** A text can be sent again; files are read once. */
  content: string | AsyncIterable<Uint8Array>;
}

/** Bytes per read, a multiple of 3 so that only the last piece needs base64 padding. */
const pieceSize = 3 * 128 * 1024;
const markLength = 40;
const marks = /skeinfile[0-9a-f]{31}/g;

export class OutgoingFiles {
  readonly #files = new Map<string, OutgoingFile>();

  /** Returns the placeholder of the file: valid base64 that no caller can guess. */
  add(file: OutgoingFile): string {
    const mark = `skeinfile${randomBytes(16).toString('hex')}`.slice(0, markLength);
    this.#files.set(mark, file);
    return mark;
  }

  remove(mark: string): void {
    this.#files.delete(mark);
  }

  /** Returns the request with the files in its body; null if it contains no placeholder. */
  fill(init: RequestInit | undefined): RequestInit | null {
    const text = init?.body;
    if (typeof text !== 'string') return null;
    const { length, content } = this.bodyOf(text);
    if (typeof content === 'string') return null;
    const headers = new Headers(init?.headers);
    // Without it the body would use chunked encoding, which some servers reject.
    headers.set('content-length', String(length));
    const body = ReadableStream.from(content) as BodyInit;
    const filled: RequestInit & { duplex: 'half' } = { ...init, headers, body, duplex: 'half' };
    return filled;
  }

  /** The body with the files in place of their placeholders. */
  bodyOf(text: string): OutgoingBody {
    const parts = this.#files.size === 0 ? [text] : this.#partsOf(text);
    if (parts.every((part) => typeof part === 'string')) {
      return { length: Buffer.byteLength(text), content: text };
    }
    const length = parts.reduce((sum, part) => sum + lengthOf(part), 0);
    return { length, content: bytesOf(parts) };
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
