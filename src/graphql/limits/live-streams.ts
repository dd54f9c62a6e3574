/**
 * Counts and limits open streams of every transport, REST included. A stream beyond the limits fails before its first
 * event. An old stream ends without its last event, so that none outlives a token or a deployment for long; its client
 * resumes.
 */
import type { ExecutionArgs, ExecutionResult } from 'graphql';
import { isAsyncIterable, type Plugin } from 'graphql-yoga';
import type { Context } from '../../builder.js';
import type { StreamSettings } from '../settings.js';
import { type StreamPlace, StreamQuota } from './stream-quota.js';

export function liveStreams(settings: StreamSettings): Plugin<Context> {
  const quota = new StreamQuota(settings);
  return {
    onSubscribe({ args, subscribeFn, setSubscribeFn }) {
      const { viewer, signal } = args.contextValue;
      setSubscribeFn(async (given: ExecutionArgs): Promise<ExecutionResult | LiveStream> => {
        const place = quota.take(viewer);
        if ('refusal' in place) return { errors: [place.refusal] };
        const result: unknown = await Promise.resolve(subscribeFn(given)).catch((error: unknown) => {
          place.release();
          throw error;
        });
        if (isStream(result)) return new LiveStream({ source: result, signal, place, maxLifeMs: settings.maxLifeMs });
        place.release();
        return result as ExecutionResult;
      });
    },
  };
}

function isStream(result: unknown): result is AsyncIterable<ExecutionResult> {
  return isAsyncIterable(result);
}

interface LiveStreamOptions {
  source: AsyncIterable<ExecutionResult>;
  signal: AbortSignal;
  place: StreamPlace;
  maxLifeMs: number;
}

/** The results of `source`, until the source, the reader, the signal, the time limit or an eviction ends them. */
class LiveStream implements AsyncIterableIterator<ExecutionResult> {
  readonly #results: AsyncIterator<ExecutionResult>;
  readonly #options: LiveStreamOptions;
  readonly #timer: NodeJS.Timeout;
  #isOver = false;

  constructor(options: LiveStreamOptions) {
    this.#options = options;
    this.#results = options.source[Symbol.asyncIterator]();
    this.#timer = setTimeout(this.#leave, options.maxLifeMs).unref();
    options.signal.addEventListener('abort', this.#end, { once: true });
    if (options.signal.aborted) this.#end();
    options.place.evicted.addEventListener('abort', this.#leave, { once: true });
    if (options.place.evicted.aborted) this.#leave();
  }

  async next(): Promise<IteratorResult<ExecutionResult>> {
    if (this.#isOver) return { done: true, value: undefined };
    try {
      const result = await this.#results.next();
      if (result.done) this.#end();
      return result;
    } catch (error) {
      this.#end();
      throw error;
    }
  }

  /** The source settles a pending `next()`. */
  async return(): Promise<IteratorResult<ExecutionResult>> {
    this.#end();
    await this.#results.return?.();
    return { done: true, value: undefined };
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  readonly #end = (): void => {
    this.#isOver = true;
    clearTimeout(this.#timer);
    this.#options.signal.removeEventListener('abort', this.#end);
    this.#options.place.evicted.removeEventListener('abort', this.#leave);
    this.#options.place.release();
  };

  readonly #leave = (): void => void this.return();
}
