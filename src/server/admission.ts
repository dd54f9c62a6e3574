/**
 * Starts concurrent requests in turns by user (`FairQueue`), a millisecond's worth per round of the event loop. A
 * thousand requests of one user delay another user's request only by those that have already begun. A single request
 * begins immediately.
 */
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { performance } from 'node:perf_hooks';
import { FairQueue } from '../fairness/fair-queue.js';
import type { Party } from '../fairness/party.js';

/** How long requests may be started before the event loop continues. */
const sliceMs = 1;

/** Guesses the party of a request. */
export type PartyOf = (request: IncomingMessage) => Party;

/** Wraps a handler. Requests whose client disconnects while waiting are still started and detect it themselves. */
export function inTurns(handler: RequestListener, partyOf: PartyOf): RequestListener {
  const admission = new Admission(handler, partyOf);
  return (request, response) => admission.receive({ request, response });
}

interface Exchange {
  request: IncomingMessage;
  response: ServerResponse;
}

class Admission {
  readonly #handler: RequestListener;
  readonly #partyOf: PartyOf;
  readonly #waiting = new FairQueue<Exchange>();
  /** When the first request of this round began. */
  #sliceStartMs: number | undefined;

  constructor(handler: RequestListener, partyOf: PartyOf) {
    this.#handler = handler;
    this.#partyOf = partyOf;
  }

  receive(exchange: Exchange): void {
    if (this.#waiting.size === 0 && this.#hasTime()) this.#begin(exchange);
    else this.#waiting.push(this.#partyOf(exchange.request), exchange);
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
