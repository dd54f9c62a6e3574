/**
 * Closes connections whose request is answered before it was read, for example because the body is too large. If the
 * connection were closed immediately, the system would send a reset, and a client or proxy that has not read the
 * response yet would lose it. It therefore closes in stages (RFC 9112, 9.6): it sends the response, closes its side,
 * and discards incoming data until the client closes too, for a second at most.
 */
import type { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';

const lingerMs = 1000;

/** Call it before the request is handled. Node calls `destroySoon` after a response with `Connection: close`. */
export function closeInStages(request: IncomingMessage): void {
  const { socket } = request;
  socket.destroySoon = () => {
    if (request.complete || socket.destroyed) return Socket.prototype.destroySoon.call(socket);
    socket.end();
    request.resume();
    const timer = setTimeout(() => socket.destroy(), lingerMs);
    socket.once('close', () => clearTimeout(timer));
  };
}
