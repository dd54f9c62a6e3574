/**
 * Runs operations of all transports in turns (`Services.turns`), so that slow operations of one user use only a limited
 * number of database connections, and many quick ones leave time for others. Time spent waiting does not count, and
 * streams count only until they are open: they have limits of their own.
 */
import type { ExecutionArgs, ExecutionResult } from 'graphql';
import type { Plugin } from 'graphql-yoga';
import type { Context } from '../../builder.js';
import { QueueFullError, type Release } from '../../platform/fairness/fair-semaphore.js';
import { BusyError } from '../../platform/fairness/overload-errors.js';
import { databaseInTurns } from './operation-database.js';
import { Permit } from './operation-turn.js';

export function operationShare(): Plugin<Context> {
  return {
    onExecute({ executeFn, setExecuteFn }) {
      setExecuteFn(async (given: ExecutionArgs): Promise<ExecutionResult> => {
        const context = given.contextValue as Context;
        const release = await waitForPermit(context).catch(refusalOf);
        if (release instanceof BusyError) return { errors: [release] };
        const turn = new Permit(context.turns, context.viewer, context.signal, release);
        try {
          const database = databaseInTurns(context.database, turn);
          return await executeFn({ ...given, contextValue: { ...context, turn, database } });
        } finally {
          void turn.end();
        }
      });
    },
    onSubscribe({ subscribeFn, setSubscribeFn }) {
      setSubscribeFn(async (given: ExecutionArgs): Promise<AsyncIterable<ExecutionResult> | ExecutionResult> => {
        const release = await waitForPermit(given.contextValue as Context).catch(refusalOf);
        if (release instanceof BusyError) return { errors: [release] };
        try {
          return await subscribeFn(given);
        } finally {
          release();
        }
      });
    },
  };
}

/** Resolves to what releases the permit. Rejects with a `BusyError` if too many wait, or the caller leaves meanwhile. */
export async function waitForPermit({
  turns,
  viewer,
  signal,
}: Pick<Context, 'turns' | 'viewer' | 'signal'>): Promise<Release> {
  try {
    return await turns.acquire(viewer, { signal });
  } catch (error) {
    // The caller left while waiting, so nobody reads the response.
    if (!(error instanceof QueueFullError || signal.aborted)) throw error;
    throw new BusyError('Too many of your operations are queued (maximum 10,000).');
  }
}

function refusalOf(error: unknown): BusyError {
  if (error instanceof BusyError) return error;
  throw error;
}
