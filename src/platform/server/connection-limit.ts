/**
 * Limits open connections: one beyond the limit is closed, and so are the idle ones, to make room for the next. It
 * counts connections itself, because with several processes on a port Node passes a connection beyond
 * `server.maxConnections` on to the next process, round and round while all of them are full.
 */
import type { Server } from 'node:http';

export function limitConnections(server: Server, maximum: number, onRefused: () => void): void {
  let open = 0;
  server.on('connection', (socket) => {
    if (open >= maximum) {
      socket.destroy();
      onRefused();
      server.closeIdleConnections();
      return;
    }
    open += 1;
    socket.once('close', () => {
      open -= 1;
    });
  });
}
