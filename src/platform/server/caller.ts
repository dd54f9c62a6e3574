import type { Principal } from '../fairness/principal.js';
import { networkOf } from '../rates/caller-address.js';
import type { RequestSource } from '../rates/request-source.js';

/** The credentials of a caller. */
export interface Credentials {
  /** The `Authorization` header. If present, the cookie is ignored. */
  authorization: string | undefined;
  /** The `Cookie` header, on transports that accept browser sessions. */
  cookie?: string | undefined;
}

/** The caller of a request, as the transport sees it. */
export interface Caller extends Credentials {
  /** Collects the quotas of the request. */
  source: RequestSource;
  /** Aborts when the caller disconnects. */
  signal: AbortSignal;
}

/** Who takes turns before it is known who calls: first addresses, then what is presented from there. */
export function principalOf({ authorization, cookie, source }: Caller): Principal {
  return { organizationId: networkOf(source.address), userId: authorization ?? cookie ?? '' };
}
