/**
 * The requests of one connection run one after the other. Node starts every request that it finds in what it has read,
 * so thousands of pipelined requests would run at once and hold up everybody else. Here the next one starts when the
 * answer to the one before is complete, and nothing more is read until then.
 */
import type { RequestListener, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

export function oneAtATime(handler: RequestListener): RequestListener {
  const last = new WeakMap<Socket, ServerResponse>();
  return (request, response) => {
    const { socket } = request;
    const before = last.get(socket);
    last.set(socket, response);
    if (!before || before.closed) return handler(request, response);
    socket.pause();
    before.once('close', () => {
      if (socket.destroyed) return;
      handler(request, response);
      if (last.get(socket) === response) socket.resume();
    });
  };
}
