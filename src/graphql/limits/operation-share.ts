/**
 * How many operations of one user, and of one organization, run at the same time in this process, over all transports. The rest
 * wait in turns, so slow operations of one user hold only so many connections of the database, and many quick ones leave time for
 * everybody else's. What only waits does not count, nor do streams that are open: those have limits of their own.
 */
import type { ExecutionArgs, ExecutionResult } from 'graphql';
import type { Plugin } from 'graphql-yoga';
import type { Context } from '../../builder.js';
import { FairSemaphore, QueueFullError } from '../../fairness/fair-semaphore.js';
import { BusyError } from '../../fairness/refusals.js';
import { HeldTurn } from './operation-turn.js';

/** Operations of one user that may wait for their turn. */
const waitingPerUser = 1000;

export function operationShare(perUser: number): Plugin<Context> {
  const perOrganization = 2 * perUser;
  const turns = new FairSemaphore({ total: 8 * perUser, perOrganization, perUser, waitingPerUser });
  return {
    onExecute({ executeFn, setExecuteFn, args }) {
      const { viewer, signal } = args.contextValue;
      setExecuteFn(async (given: ExecutionArgs): Promise<ExecutionResult> => {
        let turn: HeldTurn;
        try {
          turn = new HeldTurn(turns, viewer, signal, await turns.acquire(viewer, { signal }));
        } catch (error) {
          // Nobody reads the answer to a caller who left while waiting.
          if (!(error instanceof QueueFullError || signal.aborted)) throw error;
          return { errors: [new BusyError('More than a thousand operations of yours wait for their turn.')] };
        }
        try {
          return await executeFn({ ...given, contextValue: { ...(given.contextValue as Context), turn } });
        } finally {
          void turn.end();
        }
      });
    },
  };
}
