/** From a caller to the context of its operations. Authentication happens here, once a request, for every transport. */
import type { Context } from '../builder.js';
import { authenticate } from '../modules/identity/authenticate.js';
import { authenticateSession } from '../modules/identity/session.js';
import type { Services } from '../services.js';

/** By what a caller can be known. */
export interface Credentials {
  /** Value of the `Authorization` header: then nothing else counts. */
  authorization: string | undefined;
  /** Value of the `Cookie` header, from the transports on which somebody who is signed in with a browser is known. */
  cookie?: string | undefined;
}

/** What a transport knows of whoever calls. */
export interface Caller extends Credentials {
  /** Aborts when the caller is gone. */
  signal: AbortSignal;
}

/** Throws an `UnauthenticatedError` where the caller sent no living token and is not signed in. */
export async function createContext(services: Services, { authorization, cookie, signal }: Caller): Promise<Context> {
  const session = authorization ? null : services.readSession(cookie);
  const viewer =
    session === null
      ? await authenticate(services.database, authorization)
      : await authenticateSession(services.database, session);
  return { ...services, viewer, signal };
}
