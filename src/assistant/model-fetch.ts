/**
 * The HTTP client for AI models. It counts the decompressed bytes of a response as they arrive, because the SDK copies
 * an event in memory several times before it reads it. An endless event, an endless response or a decompression bomb
 * ends with an error, and the connection is closed.
 */
import { OutgoingFiles } from './files/outgoing-files.js';
import { generationFault } from './generation-faults.js';

export interface AnswerLimits {
  /**
   * Maximum for one event of a stream, or for a whole response without a stream. Some providers repeat the whole text
   * in their last event.
   */
  eventBytes: number;
  /** Maximum for a whole response: about fifty times its text, since each token has a frame of its own. */
  totalBytes: number;
  /** Maximum for the body of an error; the rest is discarded. */
  errorBytes: number;
}

export const defaultAnswerLimits: AnswerLimits = {
  eventBytes: 4 * 1024 * 1024,
  totalBytes: 64 * 1024 * 1024,
  errorBytes: 16 * 1024,
};

/**
 * Wraps `fetch`: inserts `files` into the requests that refer to them, and fails responses that exceed a limit with the
 * `GenerationError` `model_output_too_large`. `onBytes` hears of everything that arrives, also of what the SDK keeps to itself.
 */
export function limitedFetch(
  files: OutgoingFiles = new OutgoingFiles(),
  limits: AnswerLimits = defaultAnswerLimits,
  onBytes: () => void = () => undefined,
): typeof fetch {
  return async (input, init) => {
    const response = await fetch(input, files.fill(init) ?? init);
    if (!response.body) return response;
    const counter = response.ok ? new AnswerCounter(limits) : new ErrorCutter(limits.errorBytes);
    const { status, statusText, headers } = response;
    return new Response(countedBody(response.body, counter, onBytes), { status, statusText, headers });
  };
}

interface ByteCounter {
  /** Returns the part of the chunk to pass on. Throws if a limit is exceeded. */
  take(piece: Uint8Array): Uint8Array;
  /** Whether the rest is to be discarded. */
  readonly isFull: boolean;
}

/** A single wrapper around the stream and no chain, because every token of hundreds of responses passes through it. */
function countedBody(
  body: ReadableStream<Uint8Array>,
  counter: ByteCounter,
  onBytes: () => void,
): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  const cancel = async (reason: unknown) => reader.cancel(reason);
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { done, value } = await reader.read();
        if (done) return controller.close();
        onBytes();
        try {
          controller.enqueue(counter.take(value));
          if (!counter.isFull) return;
          controller.close();
          await cancel('the rest is left out');
        } catch (error) {
          // The cancellation is not awaited, because the connection may be in any state.
          void Promise.allSettled([cancel(error)]);
          throw error;
        }
      },
      cancel,
    },
    { highWaterMark: 0 },
  );
}

const [lineFeed, carriageReturn] = [10, 13];

/** Counts the bytes since the last empty line, which ends an event. */
export class AnswerCounter implements ByteCounter {
  readonly #limits: AnswerLimits;
  readonly isFull = false;
  #total = 0;
  #event = 0;
  /** Bytes of the present line, without a carriage return at its beginning. */
  #line = 0;

  constructor(limits: AnswerLimits) {
    this.#limits = limits;
  }

  take(piece: Uint8Array): Uint8Array {
    this.#total += piece.length;
    let start = 0;
    for (let end = piece.indexOf(lineFeed); end !== -1; end = piece.indexOf(lineFeed, start)) {
      this.#count(piece, start, end);
      if (this.#line === 0) this.#event = 0;
      this.#line = 0;
      start = end + 1;
    }
    this.#count(piece, start, piece.length);
    if (this.#total > this.#limits.totalBytes) throw tooLarge('an answer', this.#limits.totalBytes);
    return piece;
  }

  #count(piece: Uint8Array, start: number, end: number): void {
    const isBlank = this.#line === 0 && end - start === 1 && piece[start] === carriageReturn;
    if (!isBlank) this.#line += end - start;
    this.#event += end - start;
    if (this.#event > this.#limits.eventBytes) throw tooLarge('an event', this.#limits.eventBytes);
  }
}

/** Keeps only the beginning of an error, which tells what is wrong. */
class ErrorCutter implements ByteCounter {
  #left: number;

  constructor(maximumBytes: number) {
    this.#left = maximumBytes;
  }

  get isFull(): boolean {
    return this.#left === 0;
  }

  take(piece: Uint8Array): Uint8Array {
    const kept = piece.subarray(0, this.#left);
    this.#left -= kept.length;
    return kept;
  }
}

/** The error for what exceeds a limit of bytes. */
export function tooLarge(what: string, maximumBytes: number) {
  return generationFault('model_output_too_large', {
    cause: `the provider sent ${what} of more than ${maximumBytes} bytes`,
  });
}
