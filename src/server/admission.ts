/**
 * Requests that arrive in the same moment begin in turns by user (`FairQueue`), a few milliseconds' worth in each round of the event
 * loop. Whoever sends a thousand at once then delays somebody else's request by the few that have begun, and not by all of them.
 * A request that comes alone begins at once.
 */
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { performance } from 'node:perf_hooks';
import { FairQueue } from '../fairness/fair-queue.js';
import type { Party } from '../fairness/party.js';

/** How long requests may go on beginning before everything else in the process gets its turn. */
const sliceMs = 1;

/** On whose behalf a request seems to be made. */
export type PartyOf = (request: IncomingMessage) => Party;

/** Wraps a handler. What is left by a client while it waits is still begun, and finds that out for itself. */
export function inTurns(handler: RequestListener, partyOf: PartyOf): RequestListener {
  const admission = new Admission(handler, partyOf);
  return (request, response) => admission.receive({ request, response });
}

interface Exchange {
  request: IncomingMessage;
  response: ServerResponse;
}

class Admission {
  readonly #waiting = new FairQueue<Exchange>();
  /** When the first request of this round began. */
  #sliceStartMs: number | undefined;

  constructor(
    private readonly handler: RequestListener,
    private readonly partyOf: PartyOf,
  ) {}

  receive(exchange: Exchange): void {
    if (this.#waiting.size === 0 && this.#hasTime()) this.#begin(exchange);
    else this.#waiting.push(this.partyOf(exchange.request), exchange);
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
    this.handler(request, response);
  }
}
