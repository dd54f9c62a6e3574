/**
 * The requests of one connection run one after the other. Node starts every request that it finds in what it has read, so
 * thousands of pipelined requests would run at once and hold up everybody else. Here the next one starts when the answer to the
 * one before is complete, and nothing more is read until then. A client that sends too many ahead gets its first answers, the
 * last of them with `Connection: close`, and has to send the rest again, as RFC 9112 (9.3.2) expects of it.
 */
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** Wraps a handler, so that it is called for one request of a connection at a time; `maxWaiting` more may wait. */
export function oneAtATime(handler: RequestListener, maxWaiting: number): RequestListener {
  const queues = new WeakMap<Socket, PipelineQueue>();
  return (request, response) => {
    const { socket } = request;
    const queue = queues.get(socket) ?? new PipelineQueue(socket, handler, maxWaiting);
    queues.set(socket, queue);
    queue.add({ request, response });
  };
}

interface Exchange {
  request: IncomingMessage;
  response: ServerResponse;
}

class PipelineQueue {
  readonly #socket: Socket;
  readonly #handler: RequestListener;
  readonly #maxWaiting: number;
  #isBusy = false;
  /** True after the last request that gets an answer. */
  #isClosed = false;
  #waiting: Exchange[] = [];

  constructor(socket: Socket, handler: RequestListener, maxWaiting: number) {
    this.#socket = socket;
    this.#handler = handler;
    this.#maxWaiting = maxWaiting;
    socket.once('close', () => {
      this.#isClosed = true;
      this.#waiting = [];
    });
  }

  add(exchange: Exchange): void {
    if (this.#isBusy) this.#wait(exchange);
    else this.#run(exchange);
  }

  #wait(exchange: Exchange): void {
    this.#socket.pause();
    if (this.#isClosed) return;
    this.#waiting.push(exchange);
    if (this.#waiting.length < this.#maxWaiting) return;
    this.#isClosed = true;
    exchange.response.setHeader('Connection', 'close');
  }

  #run({ request, response }: Exchange): void {
    this.#isBusy = true;
    response.once('close', () => this.#next());
    this.#handler(request, response);
  }

  #next(): void {
    this.#isBusy = false;
    if (this.#socket.destroyed) return;
    const exchange = this.#waiting.shift();
    if (exchange) this.#run(exchange);
    if (this.#waiting.length === 0 && !this.#isClosed) this.#socket.resume();
  }
}
