/**
 * Whether a request comes from a page of ours, where a cookie says who sends it. Browsers say so themselves
 * (`Sec-Fetch-Site`), and no page can change what they say; for those that do not, the origin of the page must be the
 * address that people use, or the one that was asked.
 */

/** What is needed of a request: a header by its name, empty where it is missing. */
export interface RequestHeaders {
  get(name: string): string;
}

/** False for what another site, or another host of this one, makes a browser send. Programs, which send neither header, pass. */
export function isFromOwnPage(request: RequestHeaders, publicUrl: string): boolean {
  const site = request.get('sec-fetch-site');
  if (site !== '') return site === 'same-origin' || site === 'none';
  const origin = request.get('origin');
  if (origin === '') return true;
  return URL.canParse(origin) && [new URL(publicUrl).host, request.get('host')].includes(new URL(origin).host);
}
