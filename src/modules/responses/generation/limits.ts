/**
 * Enforces limits on a generation. The source's signal is aborted at the first limit. Nothing waits for the source to
 * react, because it may wait on a silent connection.
 */
import type { GenerationEvent, SpokenEvent, TakeEvent } from './processor.js';
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

type EventSource = (signal: AbortSignal, take: TakeEvent) => Promise<void>;

/**
 * Gives `take` the events of `source` within `limits`. Throws a GenerationError `model_timeout` (retryable) or
 * `model_output_too_large` (not retryable), the abort reason of `signal`, or what `take` throws. Empty events show that
 * the model is alive: they renew the limit that applies and are not passed on. While the source has stopped the clock,
 * only the total limit applies.
 */
export async function limitGeneration(
  source: EventSource,
  { limits, signal }: { limits: GenerationLimits; signal: AbortSignal },
  take: TakeEvent<SpokenEvent>,
): Promise<void> {
  signal.throwIfAborted();
  const run = new AbortController();
  const onAbort = () => run.abort(signal.reason);
  signal.addEventListener('abort', onAbort, { once: true });
  const total = setTimeout(() => run.abort(outOfTime()), limits.totalMs);
  const ended = new Promise<never>((_resolve, reject) => {
    run.signal.addEventListener('abort', () => reject(run.signal.reason), { once: true });
  });
  const silence = new Silence(limits, run);
  const size = new TextBudget(limits.maxTextBytes);
  const takeLimited = (event: GenerationEvent) => {
    run.signal.throwIfAborted();
    if (event.type === 'clock') silence.runClock(event);
    else {
      size.take(event);
      if (isEmpty(event)) silence.renew();
      else {
        silence.expectNext();
        take(event);
      }
    }
  };
  try {
    await Promise.race([ended, source(run.signal, endingAt(takeLimited, run))]);
  } finally {
    clearTimeout(total);
    silence.end();
    signal.removeEventListener('abort', onAbort);
    run.abort();
  }
}

/** The source may report what `take` throws as an error of the model, but it is the reason of the end. */
function endingAt(take: TakeEvent, run: AbortController): TakeEvent {
  return (event) => {
    try {
      take(event);
    } catch (error) {
      run.abort(error);
      throw error;
    }
  };
}

/** Ends a run whose model is silent, by a single timer, because each of hundreds of responses waits for every token. */
class Silence {
  readonly #limits: GenerationLimits;
  readonly #run: AbortController;
  #timer: NodeJS.Timeout | undefined;
  #hasBegun = false;

  constructor(limits: GenerationLimits, run: AbortController) {
    this.#limits = limits;
    this.#run = run;
    this.runClock({ isRunning: true });
  }

  /** The model begins anew, or nothing is expected of it. */
  runClock({ isRunning }: { isRunning: boolean }): void {
    this.end();
    this.#hasBegun = false;
    if (isRunning) this.#arm(this.#limits.firstEventMs, sentences.firstEvent);
  }

  /** The model has said something. */
  expectNext(): void {
    if (this.#hasBegun) this.renew();
    else {
      this.end();
      this.#hasBegun = true;
      this.#arm(this.#limits.silenceMs, sentences.silence);
    }
  }

  renew(): void {
    this.#timer?.refresh();
  }

  end(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  #arm(limitMs: number, sentence: string): void {
    this.#timer = setTimeout(() => this.#run.abort(timeout(sentence)), limitMs);
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
