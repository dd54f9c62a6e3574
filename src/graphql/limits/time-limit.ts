/**
 * Limits the duration of an operation. After it, the caller gets an error and no further field is resolved, so that a
 * slow database does not receive more statements. The running statement has PostgreSQL's own timeout, and the operation
 * keeps its turn until that has ended: changes are made completely or not at all, and are counted.
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
      const isMutation = operation === OperationTypeNode.MUTATION;
      const limit = { limitMs: isMutation ? mutation : query, isMutation };
      setExecuteFn((given: ExecutionArgs) => runWithin(limit, given, executeFn));
    },
  };
}

type Execute = (args: ExecutionArgs) => unknown;

interface TimeLimit {
  limitMs: number;
  /** Mutations may finish what they have begun; all others send no further statement. */
  isMutation: boolean;
}

/** Resolves to the result of the operation, or to an error after its limit. The turn lasts until its work has ended. */
export async function runWithin(
  { limitMs, isMutation }: TimeLimit,
  given: ExecutionArgs,
  execute: Execute,
): Promise<ExecutionResult> {
  const { turn, logger } = given.contextValue as Context;
  const tooLong = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  const refusal = new Promise<ExecutionResult>((resolve) => {
    timer = setTimeout(() => {
      const reason = limitExceeded('time', limitMs);
      tooLong.abort(reason);
      if (!isMutation) turn.refuse(reason);
      resolve({ errors: [reason] });
    }, limitMs);
  });
  // The executor accepts a signal, which is missing from graphql's type.
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
