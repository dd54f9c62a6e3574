/**
 * The HTTP client for AI models. It counts every byte of an answer as it comes, after decompression, because the SDK holds an
 * event in memory several times over before it looks at it: an event without an end, an answer without an end, and a small
 * answer that decompresses into a large one end here, and the connection is closed.
 */
import { generationFault } from './generation-faults.js';
import { OutgoingFiles } from './outgoing-files.js';

export interface AnswerLimits {
  /** Of one event of a stream, or of an answer that is no stream. Some providers repeat the whole answer in their last event. */
  eventBytes: number;
  /** Of a whole answer: some fifty times its text, since each token comes in a frame of its own. */
  totalBytes: number;
  /** Of an error's body: the rest is left out. */
  errorBytes: number;
}

export const defaultAnswerLimits: AnswerLimits = {
  eventBytes: 4 * 1024 * 1024,
  totalBytes: 64 * 1024 * 1024,
  errorBytes: 16 * 1024,
};

/**
 * `fetch` with `files` in the requests that name them, and with answers that end with a `GenerationError` of code
 * `model_output_too_large` where they exceed a limit.
 */
export function limitedFetch(
  files: OutgoingFiles = new OutgoingFiles(),
  limits: AnswerLimits = defaultAnswerLimits,
): typeof fetch {
  return async (input, init) => {
    const response = await fetch(input, files.fill(init) ?? init);
    if (!response.body) return response;
    const counter = response.ok ? new AnswerCounter(limits) : new ErrorCutter(limits.errorBytes);
    const { status, statusText, headers } = response;
    return new Response(countedBody(response.body, counter), { status, statusText, headers });
  };
}

interface ByteCounter {
  /** What may be passed on of a piece. Throws where there is too much. */
  take(piece: Uint8Array): Uint8Array;
  /** True once the rest is to be left out. */
  readonly isFull: boolean;
}

/** One stream over another, and not a chain of them: each of hundreds of responses passes every token through it. */
function countedBody(body: ReadableStream<Uint8Array>, counter: ByteCounter): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  const cancel = async (reason: unknown) => reader.cancel(reason);
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { done, value } = await reader.read();
        if (done) return controller.close();
        try {
          controller.enqueue(counter.take(value));
          if (!counter.isFull) return;
          controller.close();
          await cancel('the rest is left out');
        } catch (error) {
          // Its own end is not awaited: the connection may be in any state.
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

/** Counts since the last empty line, which ends an event. */
class AnswerCounter implements ByteCounter {
  readonly isFull = false;
  #total = 0;
  #event = 0;
  /** Bytes of the line that has begun, without a carriage return at its beginning. */
  #line = 0;

  constructor(private readonly limits: AnswerLimits) {}

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
    if (this.#total > this.limits.totalBytes) throw tooLarge('an answer', this.limits.totalBytes);
    return piece;
  }

  #count(piece: Uint8Array, start: number, end: number): void {
    const isBlank = this.#line === 0 && end - start === 1 && piece[start] === carriageReturn;
    if (!isBlank) this.#line += end - start;
    this.#event += end - start;
    if (this.#event > this.limits.eventBytes) throw tooLarge('an event', this.limits.eventBytes);
  }
}

/** The beginning of an error says what is wrong. */
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

function tooLarge(what: string, maximumBytes: number) {
  return generationFault('model_output_too_large', {
    cause: `the provider sent ${what} of more than ${maximumBytes} bytes`,
  });
}
