/**
 * Closes connections whose request is answered before it was read, for example because the body is too large. If the
 * connection were closed immediately, the system would send a reset, and a client or proxy that has not read the
 * response yet would lose it. It therefore closes in stages (RFC 9112, 9.6): it sends the response, closes its side,
 * and discards incoming data for a moment.
 */
import type { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';

/** How long incoming data is discarded, and how much of it. */
const lingerMs = 1000;
const lingerBytes = 16 * 2 ** 20;
const lookMs = 50;

/** Call it before the request is handled. Node calls `destroySoon` after a response with `Connection: close`. */
export function closeInStages(request: IncomingMessage): void {
  const { socket, headers } = request;
  if (headers['content-length'] === undefined && headers['transfer-encoding'] === undefined) return;
  socket.destroySoon = () => {
    if (request.complete || socket.destroyed) Socket.prototype.destroySoon.call(socket);
    else linger(request, socket);
  };
}

function linger(request: IncomingMessage, socket: Socket): void {
  const [startMs, startBytes] = [performance.now(), socket.bytesRead];
  socket.end();
  request.resume();
  const timer = setInterval(() => {
    const isRead = request.complete && socket.writableFinished;
    const isOver = performance.now() - startMs > lingerMs || socket.bytesRead - startBytes > lingerBytes;
    if (isRead || isOver) socket.destroy();
  }, lookMs);
  timer.unref();
  socket.once('close', () => clearInterval(timer));
}
