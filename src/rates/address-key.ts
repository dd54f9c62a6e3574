/** Under which key an address is counted: IPv6 by its network of 64 bits, of which one caller has all. It is kept as a digest. */
import { createHash } from 'node:crypto';
import { networkOf } from './caller-address.js';

export function addressKey(address: string): string {
  return createHash('sha256').update(networkOf(address)).digest('base64url');
}
