const entityTag = /(?:W\/)?("[\x21\x23-\x7e\x80-\xff]*")/g;

/**
 * Whether `If-None-Match` matches an entity tag (RFC 9110, 13.1.2): a list of tags, compared weakly, or `*`. Koa's
 * `fresh` is no use, because it ignores requests with `Cache-Control: no-cache`, which `fetch` adds to every
 * conditional request.
 */
export function isUnchanged(ifNoneMatch: string, tag: string): boolean {
  if (ifNoneMatch.trim() === '*') return true;
  const opaque = tag.replace(/^W\//, '');
  return [...ifNoneMatch.matchAll(entityTag)].some(([, known]) => known === opaque);
}
