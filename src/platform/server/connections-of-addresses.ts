/**
 * Limits connections per public IP address, so that one cannot use up those of everybody. Proxies are exempt: everybody
 * behind them has the same address.
 */
import type { Server } from 'node:http';
import { isOfPrivateNetwork, networkOf } from '../rates/caller-address.js';

export interface AddressLimit {
  connectionsPerAddress?: number;
  /** Whether an address may be a proxy's and is exempt. */
  isSharedAddress?: (address: string) => boolean;
}

/** Closes connections beyond the limit before anything is read. Those that were closed already do not count. */
export function limitAddresses(
  server: Server,
  { connectionsPerAddress = Number.POSITIVE_INFINITY, isSharedAddress = isOfPrivateNetwork }: AddressLimit,
  onRefused: () => void,
): void {
  const open = new Map<string, number>();
  server.on('connection', (socket) => {
    if (socket.destroyed) return;
    const address = (socket.remoteAddress ?? '').replace(/^::ffff:/i, '');
    if (isSharedAddress(address)) return;
    const key = networkOf(address);
    const count = open.get(key) ?? 0;
    if (count >= connectionsPerAddress) {
      socket.destroy();
      onRefused();
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
