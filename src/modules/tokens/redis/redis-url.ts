/** The URL for the driver, which takes any text and says late and without a hint what it cannot do with it. */

/** Throws an `Error` that tells the operator what is wrong with `text`, and never contains the password. */
export function readRedisUrl(text: string): string {
  if (!/^rediss?:\/\//.test(text)) throw new Error('not a URL that starts with redis:// or rediss://');
  if (/^[^/?]*,/.test(text.replace(/^.*@|^rediss?:\/\//, '')))
    throw new Error('names several hosts; name one, or a balancer in front of them');
  const { hostname, pathname } = parse(text);
  if (hostname === '') throw new Error('names no host');
  if (!/^(\/[0-9]{0,9})?$/.test(pathname))
    throw new Error('what follows the host must be the number of a database, such as /0');
  return text;
}

function parse(text: string): URL {
  try {
    const url = new URL(text);
    decodeURIComponent(url.username + url.password);
    if (url.hash === '') return url;
  } catch {
    // Told below, without the text.
  }
  throw new Error(
    'not a valid URL; percent-encode special characters in its password, such as / as %2F, # as %23 and % as %25',
  );
}
