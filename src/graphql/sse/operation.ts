/**
 * One operation on `/graphql/stream`. It runs through Yoga's own pipeline for parameters, so that limits, trusted documents
 * and masking are those of `/graphql`. Errors are sent as results, because the stream has already begun.
 */
import { type ExecutionResult, GraphQLError } from 'graphql';
import { type GraphQLParams, isAsyncIterable } from 'graphql-yoga';
import type { Context } from '../../builder.js';
import { CancellableStream, onAbort } from '../../platform/async/cancellable-stream.js';
import { visibleResult } from '../errors/http-errors.js';
import type { MaskError } from '../errors/mask-error.js';
import type { Yoga } from '../yoga.js';
import type { Backlog } from './backlog.js';

export interface StreamOperation {
  yoga: Yoga;
  maskError: MaskError;
  /** Method of the HTTP request, which must not be GET for a mutation. */
  method: string;
  params: GraphQLParams;
  context: Context;
  backlog: Backlog;
}

/** The results for the caller. The operation starts when the first is requested, and ends with the context's signal. */
export function resultsOf(operation: StreamOperation): AsyncIterableIterator<ExecutionResult, void, void> {
  const { backlog, context, maskError } = operation;
  // Aborts when the results are taken, which the stream may outlive.
  const end = new AbortController();
  let source: AsyncIterator<ExecutionResult> | undefined;
  const endSource = () => Promise.resolve(source?.return?.());
  const begin = async () => {
    source = await start(operation, end.signal);
    // The operation was ended while it started.
    if (end.signal.aborted) await endSource();
    return source;
  };
  backlog.operations += 1;
  const results = resultsFrom(begin, operation, end.signal);
  return new CancellableStream({
    next: () => results.next(),
    endings: [onAbort(context.signal)],
    release: () => {
      backlog.operations -= 1;
      end.abort();
      // The operation may still compute its next result, whose failure is only logged.
      endSource().catch((error: unknown) => maskError(error, context.source));
    },
  });
}

async function* resultsFrom(
  begin: () => Promise<AsyncIterator<ExecutionResult>>,
  { backlog, context, maskError }: StreamOperation,
  end: AbortSignal,
): AsyncGenerator<ExecutionResult, void, void> {
  try {
    const source = await begin();
    while (!end.aborted) {
      await backlog.empty();
      const { done, value } = await source.next();
      if (done) return;
      yield visibleResult(value);
    }
  } catch (error) {
    if (!end.aborted) yield visibleResult({ errors: [asGraphQLError(maskError(error, context.source))] });
  }
}

async function start(operation: StreamOperation, signal: AbortSignal): Promise<AsyncIterator<ExecutionResult>> {
  const { yoga, method, params, context } = operation;
  const request = new Request('http://localhost/graphql/stream', { method });
  const result = await yoga.getResultForParams({ params, request }, { opened: { ...context, signal } });
  return isAsyncIterable(result) ? result[Symbol.asyncIterator]() : once(result ?? {});
}

async function* once(result: ExecutionResult): AsyncGenerator<ExecutionResult, void, void> {
  yield result;
}

function asGraphQLError(error: Error): GraphQLError {
  return error instanceof GraphQLError ? error : new GraphQLError(error.message);
}
