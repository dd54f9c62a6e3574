/**
 * Limits open connections: one beyond the limit is closed, and so are the idle ones, to make room for the next. One
 * public address gets a quarter, so that it cannot use up those of everybody, and makes room among its own; proxies, behind
 * which all have the same address, are exempt. It counts connections itself, because with several processes on a port Node passes one beyond
 * `server.maxConnections` on to the next process, round and round while all of them are full.
 */
import type { Server } from 'node:http';
import type { Socket } from 'node:net';
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
  const closeIdle = idleConnections(server);
  const keyOf = ({ remoteAddress = '' }: Socket) => {
    const address = remoteAddress.replace(/^::ffff:/i, '');
    return isSharedAddress(address) ? 'shared' : networkOf(address);
  };
  server.on('connection', (socket: Socket) => {
    const key = keyOf(socket);
    const isFull = total >= maxConnections;
    if (isFull || (key !== 'shared' && counts.of(key) >= maxConnections / 4)) {
      socket.destroy();
      onRefused?.();
      closeIdle((other) => isFull || keyOf(other) === key);
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

/**
 * Follows which connections have carried a request and wait for the next one. Returns what closes those that are included. Since Node 26,
 * `server.closeIdleConnections` also closes those that have just opened (nodejs/node#63470): where many open at once, each
 * refusal would hit callers who are about to ask.
 */
function idleConnections(server: Server): (isIncluded: (socket: Socket) => boolean) => void {
  const running = new Counts<Socket>();
  /** How much was read of each when it became idle: if it is more now, another request has begun. */
  const idle = new Map<Socket, number>();
  server.on('request', ({ socket }, response) => {
    running.add(socket, 1);
    idle.delete(socket);
    response.once('close', () => {
      running.add(socket, -1);
      if (running.of(socket) === 0 && !socket.destroyed) idle.set(socket, socket.bytesRead);
    });
  });
  server.on('connection', (socket: Socket) => socket.once('close', () => idle.delete(socket)));
  return (isIncluded) => {
    for (const [socket, bytes] of idle) if (socket.bytesRead === bytes && isIncluded(socket)) socket.destroy();
  };
}
