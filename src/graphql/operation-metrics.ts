/**
 * Measures and traces the operations of all transports, REST included, and notes their names for the log. It comes first
 * in the list of plugins, so it also sees what the others refuse.
 */
import { type ExecutionArgs, type ExecutionResult, getOperationAST } from 'graphql';
import { isAsyncIterable, type Plugin } from 'graphql-yoga';
import type { Context } from '../builder.js';
import type { ServiceMetrics } from '../platform/metrics/service-metrics.js';
import type { RequestSource } from '../platform/rates/request-source.js';
import { isOfCaller, noteSource } from './errors/mask-error.js';

export function operationMetrics(metrics: ServiceMetrics): Plugin<Context> {
  const meter = new OperationMeter(metrics);
  return {
    onParse: () => {
      const startedMs = performance.now();
      return ({ result }) => {
        if (result instanceof Error) meter.refused([result], startedMs);
      };
    },
    onValidate: () => {
      const startedMs = performance.now();
      return ({ valid, result }) => {
        if (!valid) meter.refused(result, startedMs);
      };
    },
    onExecute: ({ args }) => {
      const ended = meter.start(described(args), args.contextValue.source);
      return { onExecuteDone: ({ result }) => ended(result) };
    },
    onSubscribe: ({ args }) => {
      const ended = meter.start(described(args), args.contextValue.source);
      return { onSubscribeResult: ({ result }) => ended(result) };
    },
  };
}

/** What an operation is and what its caller named it. */
interface Described {
  kind: string;
  name: string | null;
}

function described({ document, operationName }: ExecutionArgs): Described {
  const definition = getOperationAST(document, operationName);
  return { kind: definition?.operation ?? 'invalid', name: definition?.name?.value ?? null };
}

export class OperationMeter {
  readonly #metrics: ServiceMetrics;

  constructor(metrics: ServiceMetrics) {
    this.#metrics = metrics;
  }

  /** An operation that was not executed: its kind does not matter, or could not be read. */
  refused(errors: readonly unknown[], startedMs: number): void {
    for (const error of errors) this.#metrics.limitsHit.see(error);
    this.#observe('invalid', 'refused', startedMs);
  }

  /** Returns what to call with the result. */
  start({ kind, name }: Described, source: RequestSource): (result: unknown) => void {
    const startedMs = performance.now();
    source.operation = name;
    const attributes = { 'graphql.operation.type': kind, 'graphql.operation.name': name };
    const span = source.span?.child(kind, { attributes });
    return (result) => {
      const outcome = this.#outcomeOf(result, source);
      this.#observe(kind, outcome, startedMs);
      span?.end({ attributes: { 'skein.outcome': outcome }, error: outcome === 'failed' ? outcome : null });
    };
  }

  #outcomeOf(result: unknown, source: RequestSource): 'succeeded' | 'refused' | 'failed' {
    const errors = isAsyncIterable(result) ? [] : ((result as ExecutionResult).errors ?? []);
    for (const error of errors) this.#metrics.limitsHit.see(error);
    if (errors.length === 0) return 'succeeded';
    const defects = errors.filter((error) => !isOfCaller(error));
    for (const error of defects) noteSource(error, source);
    return defects.length === 0 ? 'refused' : 'failed';
  }

  #observe(kind: string, outcome: string, startedMs: number): void {
    this.#metrics.operations.observe({ kind, outcome }, (performance.now() - startedMs) / 1000);
  }
}
