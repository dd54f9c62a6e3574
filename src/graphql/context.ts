/** From a caller to the context of its operations. Authentication happens here, once a request, for every transport. */
import type { Context } from '../builder.js';
import { UnauthenticatedError } from '../errors.js';
import { QueueFullError } from '../fairness/fair-semaphore.js';
import { BusyError } from '../fairness/overload-errors.js';
import { authenticate, type Viewer } from '../modules/identity/authenticate.js';
import { authenticateSession } from '../modules/identity/session.js';
import type { Caller } from '../server/caller.js';
import type { Services } from '../services.js';
import { AnswerBudget } from './limits/answer-budget.js';
import { noTurn } from './limits/operation-turn.js';

/**
 * Throws an `UnauthenticatedError` where the caller sent no living token and is not signed in, and a `RateLimitedError` where
 * that, or the number of their requests, is too much.
 */
export async function createContext(services: Services, caller: Caller): Promise<Context> {
  const { signal, source } = caller;
  const viewer = await identify(services, caller);
  await services.rates.countRequest(viewer, source);
  const countMessage = <T>(send: () => Promise<T>) => services.rates.countMessage(viewer, source, send);
  return { ...services, viewer, signal, answer: new AnswerBudget(), turn: noTurn, countMessage };
}

async function identify({ database, readSession, rates, knownCallers }: Services, caller: Caller): Promise<Viewer> {
  const { authorization, cookie, source } = caller;
  const session = authorization ? null : readSession(cookie);
  const find = () =>
    session === null ? authenticate(database, authorization) : authenticateSession(database, session);
  try {
    return await knownCallers.inTurn(caller, find);
  } catch (error) {
    if (error instanceof UnauthenticatedError) await rates.countUnauthenticated(source);
    // Nobody reads the answer to a caller who left while waiting.
    if (error instanceof QueueFullError || caller.signal.aborted) {
      throw new BusyError('Ten thousand requests of yours wait for their turn.');
    }
    throw error;
  }
}
