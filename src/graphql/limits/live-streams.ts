/**
 * Counts and limits open streams of every transport, REST included. A stream beyond the limits fails before its first
 * event. An old stream ends without its last event, so that none outlives a token or a deployment for long; its client
 * resumes.
 */
import type { ExecutionArgs, ExecutionResult } from 'graphql';
import { isAsyncIterable, type Plugin } from 'graphql-yoga';
import type { Context } from '../../builder.js';
import type { Viewer } from '../../modules/identity/authenticate.js';
import { afterMs, CancellableStream, onAbort } from '../../platform/async/cancellable-stream.js';
import type { ServiceMetrics } from '../../platform/metrics/service-metrics.js';
import type { StreamSettings } from '../settings.js';
import { type StreamPlace, StreamQuota } from './stream-quota.js';

/** The streams of a process, whatever their transport. */
export class LiveStreams {
  readonly #quota: StreamQuota;
  readonly #maxLifeMs: number;

  constructor(settings: StreamSettings, metrics: ServiceMetrics) {
    this.#quota = new StreamQuota(settings);
    this.#maxLifeMs = settings.maxLifeMs;
    metrics.countStreams = () => this.#quota.total;
  }

  /** A place for a stream of the viewer, or the error if there is none. */
  take(viewer: Viewer): ReturnType<StreamQuota['take']> {
    return this.#quota.take(viewer);
  }

  /**
   * Ends `source`, which must end at once even while it waits, when the signal aborts, at its age, or when it is evicted. The
   * returned function ends it now. With its end its place is free.
   */
  watch(source: AsyncIterator<unknown>, place: StreamPlace, signal: AbortSignal): () => unknown {
    const cancels: (() => void)[] = [];
    const end = () => {
      for (const cancel of cancels.splice(0)) cancel();
      place.release();
      return source.return?.();
    };
    for (const ending of [onAbort(place.evicted), afterMs(this.#maxLifeMs), onAbort(signal)]) cancels.push(ending(end));
    return end;
  }

  /** The values of `source`, until the source, the reader, the signal, its age or an eviction ends them. */
  bound<T>(source: Source<T>, place: StreamPlace, signal: AbortSignal): CancellableStream<T> {
    return new CancellableStream({
      next: source.next,
      endings: [onAbort(signal), afterMs(this.#maxLifeMs), onAbort(place.evicted)],
      release: () => {
        place.release();
        return source.release();
      },
    });
  }
}

export function liveStreams(streams: LiveStreams): Plugin<Context> {
  return {
    onSubscribe({ args, subscribeFn, setSubscribeFn }) {
      const { viewer, signal } = args.contextValue;
      setSubscribeFn(async (given: ExecutionArgs): Promise<ExecutionResult | AsyncIterable<ExecutionResult>> => {
        const place = streams.take(viewer);
        if ('refusal' in place) return { errors: [place.refusal] };
        const result: unknown = await Promise.resolve(subscribeFn(given)).catch((error: unknown) => {
          place.release();
          throw error;
        });
        if (isStream(result)) return streams.bound(sourceOf(result), place, signal);
        place.release();
        return result as ExecutionResult;
      });
    },
  };
}

function isStream(result: unknown): result is AsyncIterable<ExecutionResult> {
  return isAsyncIterable(result);
}

/** Where the values of a stream come from: `release` ends a pending `next` and lets go of everything. */
export interface Source<T> {
  next: () => Promise<IteratorResult<T, unknown>>;
  release: () => unknown;
}

export function sourceOf<T>(values: AsyncIterable<T>): Source<T> {
  const iterator = values[Symbol.asyncIterator]();
  return { next: () => iterator.next(), release: () => iterator.return?.() };
}
