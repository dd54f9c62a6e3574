/**
 * How a connection ends whose request is answered before it was read, a body that is too large for one. Closing it at once would
 * make the system send a reset for what still arrives, and that takes the answer from a client, or a proxy, that has not read it
 * yet. So it ends in stages (RFC 9112, 9.6): the answer, the end of our side, and then what comes is thrown away for a moment.
 */
import type { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';

/** How long what comes is thrown away, and how much of it. */
const lingerMs = 1000;
const lingerBytes = 16 * 2 ** 20;
const lookMs = 50;

/** To be called before the request is handled. Node calls `destroySoon` after an answer with `Connection: close`. */
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
