/** From a caller to the context of its operations. Authentication happens here, once a request, for every transport. */
import type { Context } from '../builder.js';
import { authenticate } from '../modules/identity/authenticate.js';
import type { Services } from '../services.js';

/** What a transport knows of whoever calls. */
export interface Caller {
  /** Value of the `Authorization` header. */
  authorization: string | undefined;
  /** Aborts when the caller is gone. */
  signal: AbortSignal;
}

/** Throws an `UnauthenticatedError` where the caller sent no living token. */
export async function createContext(services: Services, { authorization, signal }: Caller): Promise<Context> {
  const viewer = await authenticate(services.database, authorization);
  return { ...services, viewer, signal };
}
