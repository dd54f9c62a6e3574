/**
 * The key under which an IP address is counted: an IPv6 address by its /64 network, all of which belongs to one
 * customer. The key is a digest.
 */
import { createHash } from 'node:crypto';
import { networkOf } from './caller-address.js';

export function addressKey(address: string): string {
  return createHash('sha256').update(networkOf(address)).digest('base64url');
}
