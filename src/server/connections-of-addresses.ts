/**
 * How many connections one address of the internet may have open, so that it cannot take those of everybody. A proxy's are not
 * counted: behind it everybody has one address, and it is the proxy that can tell them apart.
 */
import type { Server } from 'node:http';
import { isOfPrivateNetwork, networkOf } from '../rates/caller-address.js';

export interface AddressLimit {
  connectionsPerAddress?: number;
  /** Whether many may share an address, so that it is not counted. */
  isSharedAddress?: (address: string) => boolean;
}

/** Closes what is beyond the limit before anything of it is read. */
export function limitAddresses(
  server: Server,
  { connectionsPerAddress = Number.POSITIVE_INFINITY, isSharedAddress = isOfPrivateNetwork }: AddressLimit,
): void {
  const open = new Map<string, number>();
  server.on('connection', (socket) => {
    const address = (socket.remoteAddress ?? '').replace(/^::ffff:/i, '');
    if (isSharedAddress(address)) return;
    const key = networkOf(address);
    const count = open.get(key) ?? 0;
    if (count >= connectionsPerAddress) {
      socket.destroy();
      return;
    }
    open.set(key, count + 1);
    socket.once('close', () => {
      const left = (open.get(key) ?? 1) - 1;
      if (left === 0) open.delete(key);
      else open.set(key, left);
    });
  });
}
