/**
 * One operation on `/graphql/stream`. It runs through Yoga's own pipeline for parameters, so that limits, trusted documents
 * and masking are those of `/graphql`. Whatever goes wrong is a result like any other: the stream has begun.
 */
import { type ExecutionResult, GraphQLError } from 'graphql';
import { type GraphQLParams, isAsyncIterable } from 'graphql-yoga';
import type { Context } from '../../builder.js';
import { ClosableIterator } from '../../modules/responses/viewing/closable-iterator.js';
import { visibleResult } from '../http-errors.js';
import type { Yoga } from '../yoga.js';
import type { Backlog } from './backlog.js';

export interface StreamOperation {
  yoga: Yoga;
  maskError: (error: unknown) => Error;
  /** Of the request that brought it, which must not be GET for a mutation. */
  method: string;
  params: GraphQLParams;
  context: Context;
  backlog: Backlog;
}

/** The results, as the caller gets them. It starts when the first is asked for, and ends with the context's signal. */
export function resultsOf(operation: StreamOperation): AsyncIterableIterator<ExecutionResult, void, void> {
  const run = new Run(operation);
  return new ClosableIterator({
    source: run.results(),
    signal: operation.context.signal,
    release: () => run.close(),
  });
}

class Run {
  #source: AsyncIterator<ExecutionResult> | undefined;
  /** Aborts when the results are taken, which the stream may outlive. */
  readonly #end = new AbortController();

  constructor(private readonly operation: StreamOperation) {
    operation.backlog.operations += 1;
    const { signal } = operation.context;
    if (signal.aborted) this.#leave();
    else signal.addEventListener('abort', this.#leave, { once: true });
  }

  async *results(): AsyncGenerator<ExecutionResult, void, void> {
    const { backlog, maskError } = this.operation;
    try {
      const result = await this.#start();
      const source = isAsyncIterable(result) ? result[Symbol.asyncIterator]() : once(result ?? {});
      this.#source = source;
      if (this.#end.signal.aborted) return this.#endSource();
      for (;;) {
        await backlog.empty();
        const { done, value } = await source.next();
        if (done || this.#end.signal.aborted) return;
        yield visibleResult(value);
      }
    } catch (error) {
      if (!this.#end.signal.aborted) yield visibleResult({ errors: [asGraphQLError(maskError(error))] });
    }
  }

  close(): void {
    this.operation.backlog.operations -= 1;
    this.operation.context.signal.removeEventListener('abort', this.#leave);
    this.#leave();
    this.#endSource();
  }

  readonly #leave = (): void => this.#end.abort();

  #start() {
    const { yoga, method, params } = this.operation;
    const context = { ...this.operation.context, signal: this.#end.signal };
    const request = new Request('http://localhost/graphql/stream', { method });
    return yoga.getResultForParams({ params, request }, { opened: context });
  }

  /** It may be in the middle of its next result; a fault of that is only logged. */
  #endSource(): void {
    Promise.resolve(this.#source?.return?.()).catch(this.operation.maskError);
  }
}

async function* once(result: ExecutionResult): AsyncGenerator<ExecutionResult, void, void> {
  yield result;
}

function asGraphQLError(error: Error): GraphQLError {
  return error instanceof GraphQLError ? error : new GraphQLError(error.message);
}
