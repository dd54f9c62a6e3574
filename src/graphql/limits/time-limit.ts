/**
 * How long an operation may run. Past that its caller gets an answer, and no further field of it is resolved, so that a slow
 * database is not given ever more statements whose results nobody awaits; the one that runs has PostgreSQL's own limit.
 */
import { type ExecutionArgs, type ExecutionResult, getOperationAST, OperationTypeNode } from 'graphql';
import type { Plugin } from 'graphql-yoga';
import type { GraphqlSettings } from '../settings.js';
import { limitExceeded } from './limit-exceeded.js';

export function timeLimit({ query, mutation }: GraphqlSettings['executionMs']): Plugin {
  return {
    onExecute({ args, executeFn, setExecuteFn }) {
      const operation = getOperationAST(args.document, args.operationName)?.operation;
      const limitMs = operation === OperationTypeNode.MUTATION ? mutation : query;
      setExecuteFn(async (given: ExecutionArgs): Promise<ExecutionResult> => {
        const tooLong = new AbortController();
        const timer = setTimeout(() => tooLong.abort(limitExceeded('time', limitMs)), limitMs);
        try {
          // The executor takes a signal, which graphql's own type of its arguments does not know.
          const limited: ExecutionArgs & { signal: AbortSignal } = { ...given, signal: tooLong.signal };
          return await executeFn(limited);
        } catch (error) {
          if (error !== tooLong.signal.reason) throw error;
          return { errors: [limitExceeded('time', limitMs)] };
        } finally {
          clearTimeout(timer);
        }
      });
    },
  };
}
