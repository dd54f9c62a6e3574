/**
 * How long an operation may run. Past that its caller is answered at once, and no further field of it is resolved, so that a slow
 * database is not given ever more statements whose results nobody awaits. The statement that runs has PostgreSQL's own limit, and
 * the operation keeps its turn until that has ended: so what it changes it changes wholly or not at all, and is counted.
 */
import { type ExecutionArgs, type ExecutionResult, getOperationAST, OperationTypeNode } from 'graphql';
import type { Plugin } from 'graphql-yoga';
import type { Context } from '../../builder.js';
import type { GraphqlSettings } from '../settings.js';
import { limitExceeded } from './limit-exceeded.js';

export function timeLimit({ query, mutation }: GraphqlSettings['executionMs']): Plugin<Context> {
  return {
    onExecute({ args, executeFn, setExecuteFn }) {
      const operation = getOperationAST(args.document, args.operationName)?.operation;
      const limitMs = operation === OperationTypeNode.MUTATION ? mutation : query;
      setExecuteFn((given: ExecutionArgs) => runWithin(limitMs, given, executeFn));
    },
  };
}

type Execute = (args: ExecutionArgs) => unknown;

/** The result of the operation, or after so many milliseconds its refusal. Its turn lasts as long as its work, also after that. */
export async function runWithin(limitMs: number, given: ExecutionArgs, execute: Execute): Promise<ExecutionResult> {
  const { turn, logger } = given.contextValue as Context;
  const tooLong = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  const refusal = new Promise<ExecutionResult>((resolve) => {
    timer = setTimeout(() => {
      tooLong.abort(limitExceeded('time', limitMs));
      resolve({ errors: [limitExceeded('time', limitMs)] });
    }, limitMs);
  });
  // The executor takes a signal, which graphql's own type of its arguments does not know.
  const limited: ExecutionArgs & { signal: AbortSignal } = { ...given, signal: tooLong.signal };
  const work = Promise.resolve(execute(limited) as ExecutionResult);
  turn.lastsUntil(work);
  try {
    return await Promise.race([work, refusal]);
  } finally {
    clearTimeout(timer);
    if (tooLong.signal.aborted) {
      work.catch((error: unknown) => {
        if (error !== tooLong.signal.reason) logger.error({ err: error }, 'an operation failed after its time limit');
      });
    }
  }
}
