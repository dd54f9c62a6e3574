/**
 * Starts concurrent requests in turns by user (`FairQueue`), a millisecond's worth per round of the event loop. A
 * thousand requests of one user delay another user's request only by those that have already begun. A single request
 * begins immediately.
 */
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { performance } from 'node:perf_hooks';
import { FairQueue } from '../fairness/fair-queue.js';
import type { Principal } from '../fairness/principal.js';

/** How long requests may be started before the event loop continues. */
const sliceMs = 1;

/** Guesses the principal of a request. */
export type PrincipalOf = (request: IncomingMessage) => Principal;

/** Wraps a handler. Requests whose client disconnects while waiting are still started and detect it themselves. */
export function inTurns(handler: RequestListener, principalOf: PrincipalOf): RequestListener {
  const admission = new Admission(handler, principalOf);
  return (request, response) => admission.receive({ request, response });
}

interface Exchange {
  request: IncomingMessage;
  response: ServerResponse;
}

class Admission {
  readonly #handler: RequestListener;
  readonly #principalOf: PrincipalOf;
  readonly #waiting = new FairQueue<Exchange>();
  /** When the first request of this round began. */
  #sliceStartMs: number | undefined;

  constructor(handler: RequestListener, principalOf: PrincipalOf) {
    this.#handler = handler;
    this.#principalOf = principalOf;
  }

  receive(exchange: Exchange): void {
    if (this.#waiting.size === 0 && this.#hasTime()) this.#begin(exchange);
    else this.#waiting.push(this.#principalOf(exchange.request), exchange);
  }

  #hasTime(): boolean {
    if (this.#sliceStartMs !== undefined) return performance.now() - this.#sliceStartMs < sliceMs;
    this.#sliceStartMs = performance.now();
    setImmediate(() => this.#beginRound());
    return true;
  }

  #beginRound(): void {
    this.#sliceStartMs = undefined;
    while (this.#waiting.size > 0 && this.#hasTime()) {
      const next = this.#waiting.shift();
      if (next) this.#begin(next);
    }
  }

  #begin({ request, response }: Exchange): void {
    this.#handler(request, response);
  }
}
