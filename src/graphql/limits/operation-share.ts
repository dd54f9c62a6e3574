/**
 * Runs operations of all transports in turns (`Services.turns`) and for a limited time, so that slow operations of one user
 * use only a limited number of database connections, and many quick ones leave time for others. Streams count only until
 * they are open: they have limits of their own. After its time the caller gets an error and no further field is resolved,
 * so that a slow database does not receive more statements. The running statement has PostgreSQL's own timeout, and the
 * operation keeps its permit until that has ended: changes are made completely or not at all, and are counted.
 */
import { type ExecutionArgs, type ExecutionResult, GraphQLError, getOperationAST, OperationTypeNode } from 'graphql';
import type { Plugin } from 'graphql-yoga';
import type { Context } from '../../builder.js';
import type { GraphqlSettings } from '../settings.js';
import { limitExceeded } from './limit-exceeded.js';
import { queuedDatabase, StatementQueue } from './statement-queue.js';
import { Turn } from './turn.js';

type StreamOrResult = AsyncIterable<ExecutionResult> | ExecutionResult;

export function operationShare({ query, mutation }: GraphqlSettings['executionMs']): Plugin<Context> {
  return {
    onExecute({ args, executeFn, setExecuteFn }) {
      const isMutation = getOperationAST(args.document, args.operationName)?.operation === OperationTypeNode.MUTATION;
      const limit = { limitMs: isMutation ? mutation : query, isMutation };
      const execute = async (given: ExecutionArgs) => executeFn(given) as ExecutionResult;
      setExecuteFn((given: ExecutionArgs) => runInShare(given, limit, execute).catch(resultOf));
    },
    onSubscribe({ subscribeFn, setSubscribeFn }) {
      const subscribe = (given: ExecutionArgs): Promise<StreamOrResult> => {
        const { turns, viewer, signal } = given.contextValue as Context;
        return turns.run(viewer, async () => subscribeFn(given), signal);
      };
      setSubscribeFn((given: ExecutionArgs) => subscribe(given).catch(resultOf));
    },
  };
}

interface OperationLimit {
  limitMs: number;
  /** Mutations may finish what they have begun; all others send no further statement. */
  isMutation: boolean;
}

async function runInShare(
  given: ExecutionArgs,
  { limitMs, isMutation }: OperationLimit,
  execute: (args: ExecutionArgs) => Promise<ExecutionResult>,
): Promise<ExecutionResult> {
  const context = given.contextValue as Context;
  const turn = new Turn(context, await context.turns.acquire(context.viewer, { signal: context.signal }));
  const statements = new StatementQueue();
  // As one of the statements, so that no other runs meanwhile.
  context.answer.aside = (wait) => statements.run(() => turn.lend(wait));
  const late = new AbortController();
  const contextValue = { ...context, database: queuedDatabase(context.database, statements) };
  // The executor accepts a signal, which is missing from graphql's type.
  const limited: ExecutionArgs & { signal: AbortSignal } = { ...given, contextValue, signal: late.signal };
  return withinLimit(limitMs, execute(limited), {
    onLate: (reason) => {
      if (!isMutation) statements.stop(reason);
      late.abort(reason);
    },
    onEnd: () => {
      // Fields remain where another one has failed.
      if (!isMutation) statements.stop();
      context.answer.aside = undefined;
      void statements.idle.then(turn.end);
    },
  });
}

/** Resolves to the result of the work; rejects after the limit, while the work goes on to its end. */
export function withinLimit<T>(
  limitMs: number,
  work: Promise<T>,
  { onLate, onEnd }: { onLate?: (reason: GraphQLError) => void; onEnd: () => void },
): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      const reason = limitExceeded('time', limitMs);
      onLate?.(reason);
      reject(reason);
    }, limitMs);
    const end = () => {
      clearTimeout(timer);
      onEnd();
    };
    work.finally(end).then(resolve, reject);
  });
}

function resultOf(error: unknown): ExecutionResult {
  if (error instanceof GraphQLError) return { errors: [error] };
  throw error;
}
