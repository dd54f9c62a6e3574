/**
 * Limits open connections: one beyond the limit is closed, and so are the idle ones, to make room for the next. One
 * public address gets a quarter, so that it cannot use up those of everybody; proxies, behind which all have the same
 * address, are exempt. It counts connections itself, because with several processes on a port Node passes one beyond
 * `server.maxConnections` on to the next process, round and round while all of them are full.
 */
import type { Server } from 'node:http';
import { Counts } from '../fairness/counts.js';
import { isOfPrivateNetwork, networkOf } from '../rates/caller-address.js';

export interface ConnectionLimit {
  maxConnections: number;
  /** Whether an address may be a proxy's and is exempt. */
  isSharedAddress?: (address: string) => boolean;
  /** Called for each connection that was closed. */
  onRefused?: () => void;
}

export function limitConnections(
  server: Server,
  { maxConnections, isSharedAddress = isOfPrivateNetwork, onRefused }: ConnectionLimit,
): void {
  let total = 0;
  const counts = new Counts<string>();
  server.on('connection', (socket) => {
    const address = (socket.remoteAddress ?? '').replace(/^::ffff:/i, '');
    const key = isSharedAddress(address) ? 'shared' : networkOf(address);
    if (total >= maxConnections || (key !== 'shared' && counts.of(key) >= maxConnections / 4)) {
      socket.destroy();
      onRefused?.();
      if (total >= maxConnections) server.closeIdleConnections();
      return;
    }
    total += 1;
    counts.add(key, 1);
    socket.once('close', () => {
      total -= 1;
      counts.add(key, -1);
    });
  });
}
