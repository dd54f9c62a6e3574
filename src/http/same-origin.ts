/**
 * Whether a request comes from a page of ours, where a cookie says who sends it. Browsers say so themselves
 * (`Sec-Fetch-Site`), and no page can change what they say. For those that do not, the origin of the page must be that of
 * `PUBLIC_URL`, or the one that was asked: a page that came without TLS may have been written by anybody on the way.
 */

/** What is needed of a request: a header by its name, empty where it is missing. */
export interface RequestHeaders {
  get(name: string): string;
}

/** False for what another site, or another host of this one, makes a browser send. Programs, which send neither header, pass. */
export function isSameOrigin(request: RequestHeaders, publicUrl: string): boolean {
  const site = request.get('sec-fetch-site');
  if (site !== '') return site === 'same-origin' || site === 'none';
  const origin = request.get('origin');
  if (origin === '') return true;
  const own = new URL(publicUrl);
  return origin === own.origin || origin === askedOrigin(request, own);
}

/**
 * Null where the host is that of the public address, whose scheme is known. For any other, a proxy says whether TLS was
 * spoken with it; no page can make a browser send that header to another site.
 */
function askedOrigin(request: RequestHeaders, own: URL): string | null {
  const hasTls = /^\s*https\s*(,|$)/i.test(request.get('x-forwarded-proto'));
  const asked = `${hasTls ? 'https' : 'http'}://${request.get('host')}`;
  if (!URL.canParse(asked)) return null;
  const { host, origin } = new URL(asked);
  return host === own.host ? null : origin;
}
