/**
 * Enforces limits on a generation. The source's signal is aborted at the first limit. Nothing waits for the source to
 * react, because an async generator that waits on a silent connection runs neither its `finally` nor its `return()`.
 */
import type { GenerationEvent, SpokenEvent } from './processor.js';
import { GenerationError } from './processor.js';

export interface GenerationLimits {
  /** From the start, or from a sign of life, to the first event that says something. */
  firstEventMs: number;
  /** Between two events after that, without the reader's time. */
  silenceMs: number;
  /** From the start to the end, including the reader's time. */
  totalMs: number;
  /** UTF-8 bytes of text, thinking, questions and hidden output, together. */
  maxTextBytes: number;
}

export const defaultGenerationLimits: GenerationLimits = {
  firstEventMs: 300_000,
  silenceMs: 120_000,
  totalMs: 1_800_000,
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
 * Yields the events of `source` within `limits`. Throws a GenerationError `model_timeout` (retryable) or
 * `model_output_too_large` (not retryable), or the abort reason of `signal`. Empty events show that the model is alive:
 * they renew the limit that applies and are not passed on. While the source has stopped the clock, only the total limit
 * applies.
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
  const total = setTimeout(() => run.abort(outOfTime()), limits.totalMs);
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
      size.take(event);
      if (isEmpty(event)) continue;
      allowed = silence;
      yield event;
    }
  } finally {
    clearTimeout(total);
    wait.end();
    signal.removeEventListener('abort', onAbort);
    run.abort();
    // Not awaited, and may fail: the outcome of the generation is already decided.
    void Promise.allSettled([iterator.return?.()]);
  }
}

/**
 * Waits for results of a source, with a single timer and listener for all of them, because each of hundreds of
 * responses waits for every token.
 */
class SourceWait {
  readonly #run: AbortController;
  /** Defined while a wait is pending. */
  #reject: ((reason: unknown) => void) | undefined;
  #silence: Silence | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(run: AbortController) {
    this.#run = run;
    run.signal.addEventListener('abort', () => this.#reject?.(run.signal.reason), { once: true });
  }

  /** Resolves to the next result, or rejects with the abort reason, whichever comes first. */
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

  /** The timer also runs while the reader is busy; its end is then ignored. */
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
  if (event.type === 'usage' || event.type === 'truncated') return 0;
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

/** The error of a generation for which no time is left. */
export function outOfTime(): GenerationError {
  return timeout(sentences.total);
}
