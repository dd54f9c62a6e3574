/**
 * The streams that clients reserved (`PUT /graphql/stream`) to get the results of many operations over one connection. A
 * reservation is visible to the user who made it alone. It expires unless it is connected soon, accepts one connection, and
 * counts towards the limits of streams from its beginning to its end.
 */
import { randomUUID } from 'node:crypto';
import { setMaxListeners } from 'node:events';
import type { Principal } from '../../platform/fairness/principal.js';
import type { Credentials } from '../../platform/server/caller.js';
import { StreamQuota } from '../limits/stream-quota.js';
import type { GraphqlSettings } from '../settings.js';
import { Backlog } from './backlog.js';

export interface Reservation extends Principal {
  /** Known to its owner alone. It is enough to open the stream, as a browser's `EventSource` cannot send headers. */
  readonly token: string;
  /** Credentials of the request that reserved it, checked again when the stream is opened by its token alone. */
  readonly credentials: Credentials;
  readonly backlog: Backlog;
  /** Aborts when the stream ends, also when it is evicted for another user. */
  readonly signal: AbortSignal;
  /** From now on the stream lives as long as its connection, and ends with `close`. */
  connected(close: () => void): void;
  /** Ends the stream, connected or not, and its operations. */
  end(): void;
}

type ReservationSettings = Pick<GraphqlSettings, 'streams' | 'reservationMs' | 'streamTokenPrefix'>;

export class Reservations {
  readonly #settings: ReservationSettings;
  readonly #forget: (token: string) => void;
  readonly #reservations = new Map<string, Reservation>();
  readonly #quota: StreamQuota;

  /** `forget` is called with the token of a stream that ends before it was connected. */
  constructor(settings: ReservationSettings, forget: (token: string) => void) {
    this.#settings = settings;
    this.#forget = forget;
    this.#quota = new StreamQuota(settings.streams);
  }

  /** Throws a `GraphQLError` if the user or the process has too many streams. */
  add(owner: Principal & Pick<Reservation, 'credentials'>): Reservation {
    const place = this.#quota.take(owner);
    if ('refusal' in place) throw place.refusal;
    const [token, abort] = [`${this.#settings.streamTokenPrefix}${randomUUID()}`, new AbortController()];
    // Each operation adds a listener, and the number of operations has its own limit.
    setMaxListeners(0, abort.signal);
    let close = () => this.#forget(token);
    const end = () => {
      if (!this.#reservations.delete(token)) return;
      clearTimeout(expiry);
      place.release();
      abort.abort();
      close();
    };
    const expiry = setTimeout(end, this.#settings.reservationMs).unref();
    place.evicted.addEventListener('abort', end, { once: true });
    const connected = (closeConnection: () => void) => {
      clearTimeout(expiry);
      close = closeConnection;
    };
    const reservation = { ...owner, token, backlog: new Backlog(), signal: abort.signal, connected, end };
    this.#reservations.set(token, reservation);
    return reservation;
  }

  find(token: string): Reservation | undefined {
    return this.#reservations.get(token);
  }
}
