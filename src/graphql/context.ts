/** Creates the context of an operation. Every transport authenticates its callers here, once per request. */
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
 * Throws an `UnauthenticatedError` without a valid token or session, and a `RateLimitedError` after too many such
 * requests or too many requests of the caller.
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
    // The caller left while waiting, so nobody reads the response.
    if (error instanceof QueueFullError || caller.signal.aborted) {
      throw new BusyError('Ten thousand requests of yours wait for their turn.');
    }
    throw error;
  }
}
