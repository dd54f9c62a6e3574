import type { RequestSource } from '../rates/request-source.js';

/** By what a caller can be known. */
export interface Credentials {
  /** Value of the `Authorization` header: then nothing else counts. */
  authorization: string | undefined;
  /** Value of the `Cookie` header, from the transports on which somebody who is signed in with a browser is known. */
  cookie?: string | undefined;
}

/** What a transport knows of whoever calls. */
export interface Caller extends Credentials {
  /** What the limits have said of the request is kept there. */
  source: RequestSource;
  /** Aborts when the caller is gone. */
  signal: AbortSignal;
}
