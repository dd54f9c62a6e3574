/**
 * Checks that a request with a session cookie comes from a page of this service. Browsers report this in
 * `Sec-Fetch-Site`, which pages cannot change. For other browsers, the page's origin must be that of `PUBLIC_URL` or
 * the one that the request was sent to: a page served without TLS may have been modified on the way.
 */

/** The headers of a request; `get` returns an empty string for a missing one. */
export interface RequestHeaders {
  get(name: string): string;
}

/** Whether the request is of the same origin. Programs, which send neither header, pass. */
export function isSameOrigin(request: RequestHeaders, publicUrl: string): boolean {
  const site = request.get('sec-fetch-site');
  if (site !== '') return site === 'same-origin' || site === 'none';
  const origin = request.get('origin');
  if (origin === '') return true;
  const own = new URL(publicUrl);
  return origin === own.origin || origin === askedOrigin(request, own);
}

/**
 * The origin that the request was sent to; null for the host of the public URL, whose scheme is known. For other hosts
 * a proxy reports whether TLS was used; pages cannot make browsers send that header to other sites.
 */
function askedOrigin(request: RequestHeaders, own: URL): string | null {
  const hasTls = /^\s*https\s*(,|$)/i.test(request.get('x-forwarded-proto'));
  const asked = `${hasTls ? 'https' : 'http'}://${request.get('host')}`;
  if (!URL.canParse(asked)) return null;
  const { host, origin } = new URL(asked);
  return host === own.host ? null : origin;
}
