/** Counts and limits the streams of GraphQL (`stream-quota.ts`). One beyond the limits fails before its first event. */
import type { ExecutionArgs, ExecutionResult } from 'graphql';
import { isAsyncIterable, type Plugin } from 'graphql-yoga';
import type { Context } from '../../builder.js';
import { CancellableStream } from '../../platform/async/cancellable-stream.js';
import type { StreamQuota } from './stream-quota.js';

type StreamOrResult = AsyncIterable<ExecutionResult> | ExecutionResult;

export function liveStreams(streams: StreamQuota): Plugin<Context> {
  return {
    onSubscribe({ args, subscribeFn, setSubscribeFn }) {
      const { viewer, signal } = args.contextValue;
      setSubscribeFn(async (given: ExecutionArgs): Promise<StreamOrResult> => {
        const place = streams.take(viewer);
        if ('refusal' in place) return { errors: [place.refusal] };
        let result: StreamOrResult | undefined;
        try {
          result = (await subscribeFn(given)) as StreamOrResult;
        } finally {
          if (!isAsyncIterable(result)) place.release();
        }
        if (!isAsyncIterable(result)) return result;
        const events = result[Symbol.asyncIterator]();
        const release = () => {
          place.release();
          return events.return?.();
        };
        return new CancellableStream({ next: () => events.next(), endings: place.endings(signal), release });
      });
    },
  };
}
