/** Under which key an address is counted: IPv6 by its network of 64 bits, of which one caller has all. It is kept as a digest. */
import { createHash } from 'node:crypto';
import { isIPv6 } from 'node:net';

export function addressKey(address: string): string {
  return createHash('sha256')
    .update(isIPv6(address) ? networkOf(address) : address)
    .digest('base64url');
}

/** The first four groups, in the one spelling that `URL` gives every address. */
function networkOf(address: string): string {
  const written = address.split('%')[0] ?? address;
  const canonical = new URL(`http://[${written}]`).hostname.slice(1, -1);
  const [head = '', tail] = canonical.split('::');
  const first = head === '' ? [] : head.split(':');
  const last = tail ? tail.split(':') : [];
  const gap = tail === undefined ? 0 : 8 - first.length - last.length;
  return [...first, ...Array.from({ length: gap }, () => '0'), ...last].slice(0, 4).join(':');
}
