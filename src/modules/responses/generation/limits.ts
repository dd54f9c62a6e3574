/**
 * Limits on one generation, whatever the source does. The source gets its own signal, which is aborted at the first
 * limit; but nothing here waits for the source to react, because an async generator that is parked on a silent
 * connection runs neither its `finally` nor its `return()`.
 */
import type { GenerationEvent, SpokenEvent } from './processor.js';
import { GenerationError } from './processor.js';

export interface GenerationLimits {
  /** From the start to the first event. */
  firstEventMs: number;
  /** Between two events. The time that the reader takes does not count. */
  silenceMs: number;
  /** From the start to the end, the reader's time included. */
  totalMs: number;
  /** UTF-8 bytes of text, thinking, questions and what is hidden, together. */
  maxTextBytes: number;
}

export const defaultGenerationLimits: GenerationLimits = {
  firstEventMs: 60_000,
  silenceMs: 30_000,
  totalMs: 600_000,
  maxTextBytes: 1024 * 1024,
};

const sentences = {
  firstEvent: 'The AI model did not begin to answer in time.',
  silence: 'The AI model fell silent in the middle of its answer.',
  total: 'The AI model did not finish its answer in time.',
};

interface Silence {
  limitMs: number;
  sentence: string;
}

type EventSource = (signal: AbortSignal) => AsyncIterable<GenerationEvent>;

/**
 * The events of `source` within `limits`. Throws a GenerationError `model_timeout` (retryable) or
 * `model_output_too_large` (not retryable) at a limit, and the reason of `signal` as soon as that is aborted. An event
 * with empty text shows that the model is alive: it counts for the time limits and is not passed on. While the source says
 * that the clock stands still, only the limit of the whole counts.
 */
export async function* limitGeneration(
  source: EventSource,
  limits: GenerationLimits,
  signal: AbortSignal,
): AsyncGenerator<SpokenEvent> {
  signal.throwIfAborted();
  const run = new AbortController();
  const iterator = source(run.signal)[Symbol.asyncIterator]();
  const onAbort = () => run.abort(signal.reason);
  signal.addEventListener('abort', onAbort, { once: true });
  const total = setTimeout(() => run.abort(timeout(sentences.total)), limits.totalMs);
  const size = new TextBudget(limits.maxTextBytes);
  const wait = new SourceWait(run);
  const silence = { limitMs: limits.silenceMs, sentence: sentences.silence };
  const first = { limitMs: limits.firstEventMs, sentence: sentences.firstEvent };
  const turn = { limitMs: limits.totalMs, sentence: sentences.total };
  let allowed = first;
  try {
    for (;;) {
      const result = await wait.next(iterator, allowed);
      if (result.done) return;
      const event = result.value;
      if (event.type === 'clock') {
        allowed = event.isRunning ? first : turn;
        continue;
      }
      allowed = silence;
      size.take(event);
      if (!isEmpty(event)) yield event;
    }
  } finally {
    clearTimeout(total);
    wait.end();
    signal.removeEventListener('abort', onAbort);
    run.abort();
    // Not awaited, and allowed to fail: the outcome of the generation is already decided.
    void Promise.allSettled([iterator.return?.()]);
  }
}

/**
 * Waits for the results of a source, one after the other. One timer and one listener serve all of them: each of hundreds of
 * responses waits for every single token.
 */
class SourceWait {
  readonly #run: AbortController;
  /** Defined while somebody waits. */
  #reject: ((reason: unknown) => void) | undefined;
  #silence: Silence | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(run: AbortController) {
    this.#run = run;
    run.signal.addEventListener('abort', () => this.#reject?.(run.signal.reason), { once: true });
  }

  /** The next result, or the reason why the run was aborted, whichever comes first. */
  next(iterator: AsyncIterator<GenerationEvent>, silence: Silence): Promise<IteratorResult<GenerationEvent>> {
    return new Promise((resolve, reject) => {
      if (this.#run.signal.aborted) return reject(this.#run.signal.reason);
      this.#reject = reject;
      this.#arm(silence);
      iterator.next().then((result) => {
        this.#reject = undefined;
        resolve(result);
      }, reject);
    });
  }

  end(): void {
    clearTimeout(this.#timer);
  }

  /** While the reader takes its time the timer runs on, and its end means nothing. */
  #arm(silence: Silence): void {
    if (silence === this.#silence) {
      this.#timer?.refresh();
      return;
    }
    clearTimeout(this.#timer);
    this.#silence = silence;
    this.#timer = setTimeout(() => {
      if (this.#reject) this.#run.abort(timeout(silence.sentence));
    }, silence.limitMs);
  }
}

class TextBudget {
  #bytesLeft: number;

  constructor(maxBytes: number) {
    this.#bytesLeft = maxBytes;
  }

  take(event: SpokenEvent): void {
    this.#bytesLeft -= bytesOf(event);
    if (this.#bytesLeft < 0) {
      throw new GenerationError('model_output_too_large', 'The response of the AI model is too large.', {
        retryable: false,
      });
    }
  }
}

function bytesOf(event: SpokenEvent): number {
  if (event.type === 'usage') return 0;
  if (event.type === 'choice') return Buffer.byteLength(event.toolUseId + event.question + event.choices.join(''));
  const hidden = event.type === 'thinking' ? (event.hiddenBytes ?? 0) : 0;
  return Buffer.byteLength(event.text) + hidden;
}

function isEmpty(event: SpokenEvent): boolean {
  return (event.type === 'text' || event.type === 'thinking') && event.text === '';
}

function timeout(sentence: string): GenerationError {
  return new GenerationError('model_timeout', sentence, { retryable: true });
}
