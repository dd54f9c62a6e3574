/**
 * The limits of GraphQL's streams. Each counts among all streams (`stream-quota.ts`), and one beyond the limits fails before
 * its first event. The events share a budget (`answer-budget.ts`), which is full again for each of them.
 */
import type { ExecutionArgs, ExecutionResult } from 'graphql';
import { isAsyncIterable, type Plugin } from 'graphql-yoga';
import type { Context } from '../../builder.js';
import { CancellableStream } from '../../platform/async/cancellable-stream.js';
import { AnswerBudget } from './answer-budget.js';
import type { StreamPlace, StreamQuota } from './stream-quota.js';

type StreamOrResult = AsyncIterable<ExecutionResult> | ExecutionResult;

export function liveStreams(streams: StreamQuota): Plugin<Context> {
  return {
    onSubscribe({ subscribeFn, setSubscribeFn }) {
      setSubscribeFn(async (given: ExecutionArgs): Promise<StreamOrResult> => {
        const context = given.contextValue as Context;
        const place = streams.take(context.viewer);
        if ('refusal' in place) return { errors: [place.refusal] };
        const answer = new AnswerBudget(context);
        let result: StreamOrResult | undefined;
        try {
          result = (await subscribeFn({ ...given, contextValue: { ...context, answer } })) as StreamOrResult;
        } finally {
          if (!isAsyncIterable(result)) place.release();
        }
        return isAsyncIterable(result) ? limitedEvents(result, { answer, place, left: context.signal }) : result;
      });
    },
  };
}

/** Each event counts until the next one is asked for, which is when its subscriber has taken it. */
function limitedEvents(
  source: AsyncIterable<ExecutionResult>,
  { answer, place, left }: { answer: AnswerBudget; place: StreamPlace; left: AbortSignal },
): AsyncIterable<ExecutionResult> {
  const events = source[Symbol.asyncIterator]();
  return new CancellableStream({
    next: async () => {
      answer.reset();
      const event = await events.next();
      return event.done ? event : { done: false, value: await answer.settle(event.value) };
    },
    endings: place.endings(left),
    release: () => {
      answer.release();
      place.release();
      return events.return?.();
    },
  });
}
