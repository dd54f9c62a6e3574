/** Authenticates the callers of every transport, once per request, and creates the contexts of their operations. */
import type { Context } from '../builder.js';
import { UnauthenticatedError } from '../errors.js';
import { authenticate, readToken, type Viewer } from '../modules/identity/authenticate.js';
import { authenticateSession } from '../modules/identity/session.js';
import { payerOf } from '../modules/usage/budgets/payer.js';
import { type Caller, principalOf } from '../platform/server/caller.js';
import type { Services } from '../services.js';
import { noteSource } from './errors/mask-error.js';
import { AnswerBudget } from './limits/answer-budget.js';

/** Rejects like `admit`. */
export async function createContext(services: Services, caller: Caller): Promise<Context> {
  const { signal, source } = caller;
  const viewer = await admit(services, caller);
  const countMessage = messageCounter(services, viewer, source);
  return { ...services, viewer, source, signal, answer: new AnswerBudget(), countMessage };
}

/** Sends a message within the rates and the budgets of the caller. */
export function messageCounter(
  { rates, budgets }: Services,
  viewer: Viewer,
  source: Caller['source'],
): Context['countMessage'] {
  return (send) =>
    rates.countMessage(viewer, source, async () => {
      await budgets.check(payerOf(viewer));
      return send();
    });
}

/**
 * Resolves to the caller, whose request is counted. Throws an `UnauthenticatedError` without a valid token or session, and a
 * `RateLimitedError` after too many such requests or too many requests of the caller.
 */
export async function admit(services: Services, caller: Caller): Promise<Viewer> {
  const { source } = caller;
  try {
    const viewer = await identify(services, caller);
    source.viewer = viewer;
    services.rates.count('requests', viewer.tokenId, source);
    return viewer;
  } catch (error) {
    noteSource(error, source);
    throw error;
  }
}

async function identify(services: Services, caller: Caller): Promise<Viewer> {
  const { readSession, rates, lookups, database } = services;
  const { authorization, cookie, source, signal } = caller;
  const session = authorization ? null : readSession(cookie);
  try {
    // Sessions are looked up with each request: people make few, and signing out takes effect at once.
    if (session === null) return await identifyToken(services, caller);
    return await lookups.run(principalOf(caller), () => authenticateSession(database, session), signal);
  } catch (error) {
    if (error instanceof UnauthenticatedError) rates.countAddress('unauthenticated', source);
    throw error;
  }
}

async function identifyToken(services: Services, caller: Caller): Promise<Viewer> {
  const { viewers, lookups } = services;
  const digest = readToken(caller.authorization);
  const recall = () => viewers.recall(digest);
  // Requests that waited for the same lookup do without another.
  const find = async () => recall() ?? viewers.lookUp(digest, () => authenticate(services, digest));
  return recall() ?? lookups.run(principalOf(caller), find, caller.signal);
}
