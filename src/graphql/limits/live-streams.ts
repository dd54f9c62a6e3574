/**
 * Counts and limits open streams of every transport, REST included. A stream beyond the limits fails before its first
 * event. An old stream ends without its last event, so that none outlives a token or a deployment for long; its client
 * resumes.
 */
import type { ExecutionArgs, ExecutionResult } from 'graphql';
import { isAsyncIterable, type Plugin } from 'graphql-yoga';
import { afterMs, CancellableStream, type Ending, onAbort } from '../../async/cancellable-stream.js';
import type { Context } from '../../builder.js';
import type { ServiceMetrics } from '../../metrics/service-metrics.js';
import type { StreamSettings } from '../settings.js';
import { type StreamPlace, StreamQuota } from './stream-quota.js';

export function liveStreams(settings: StreamSettings, metrics: ServiceMetrics): Plugin<Context> {
  const quota = new StreamQuota(settings);
  metrics.countStreams = () => quota.total;
  return {
    onSubscribe({ args, subscribeFn, setSubscribeFn }) {
      const { viewer, signal } = args.contextValue;
      setSubscribeFn(async (given: ExecutionArgs): Promise<ExecutionResult | AsyncIterable<ExecutionResult>> => {
        const place = quota.take(viewer);
        if ('refusal' in place) return { errors: [place.refusal] };
        const result: unknown = await Promise.resolve(subscribeFn(given)).catch((error: unknown) => {
          place.release();
          throw error;
        });
        if (isStream(result)) return boundedStream(result, place, [onAbort(signal), afterMs(settings.maxLifeMs)]);
        place.release();
        return result as ExecutionResult;
      });
    },
  };
}

function isStream(result: unknown): result is AsyncIterable<ExecutionResult> {
  return isAsyncIterable(result);
}

/** The results of `source`, until the source, the reader, an ending or an eviction ends them. */
function boundedStream(source: AsyncIterable<ExecutionResult>, place: StreamPlace, endings: readonly Ending[]) {
  const results = source[Symbol.asyncIterator]();
  return new CancellableStream({
    next: () => results.next(),
    endings: [...endings, onAbort(place.evicted)],
    release: () => {
      place.release();
      return results.return?.();
    },
  });
}
