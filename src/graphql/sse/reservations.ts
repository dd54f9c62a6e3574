/**
 * The streams that clients reserved (`PUT /graphql/stream`) to get the results of many operations over one connection. A
 * reservation is visible to the user who made it alone. It expires unless it is connected soon, accepts one connection, and
 * counts towards the limits of streams from its beginning to its end.
 */
import { randomUUID } from 'node:crypto';
import { setMaxListeners } from 'node:events';
import type { Principal } from '../../platform/fairness/principal.js';
import type { Credentials } from '../../platform/server/caller.js';
import { type StreamPlace, StreamQuota } from '../limits/stream-quota.js';
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
}

interface Entry extends Reservation {
  abort: AbortController;
  place: StreamPlace;
  expiry: NodeJS.Timeout;
}

type ReservationSettings = Pick<GraphqlSettings, 'streams' | 'reservationMs' | 'streamTokenPrefix'>;

export class Reservations {
  readonly #settings: ReservationSettings;
  readonly #onExpire: (reservation: Reservation) => void;
  readonly #entries = new Map<string, Entry>();
  readonly #quota: StreamQuota;

  /** `onExpire` is called for a reservation that was not connected in time. */
  constructor(settings: ReservationSettings, onExpire: (reservation: Reservation) => void) {
    this.#settings = settings;
    this.#onExpire = onExpire;
    this.#quota = new StreamQuota(settings.streams);
  }

  /** Throws a `GraphQLError` if the user or the process has too many streams. */
  add(owner: Principal & Pick<Reservation, 'credentials'>): Reservation {
    const place = this.#quota.take(owner);
    if ('refusal' in place) throw place.refusal;
    const [token, abort] = [`${this.#settings.streamTokenPrefix}${randomUUID()}`, new AbortController()];
    const expiry = setTimeout(() => this.#expire(token), this.#settings.reservationMs).unref();
    const { signal } = abort;
    // Each operation adds a listener, and the number of operations has its own limit.
    setMaxListeners(0, signal);
    const entry = { token, ...owner, backlog: new Backlog(), signal, abort, place, expiry };
    this.#entries.set(token, entry);
    place.evicted.addEventListener('abort', () => this.#expire(token), { once: true });
    return entry;
  }

  find(token: string): Reservation | undefined {
    return this.#entries.get(token);
  }

  /** From now on the stream lives as long as its connection. */
  connected({ token }: Reservation): void {
    clearTimeout(this.#entries.get(token)?.expiry);
  }

  /** Ends the stream and its operations. */
  end({ token }: Reservation): void {
    const entry = this.#entries.get(token);
    if (!entry) return;
    this.#entries.delete(token);
    clearTimeout(entry.expiry);
    entry.place.release();
    entry.abort.abort();
  }

  /** Ends the stream, connected or not, because its owner has lost access. */
  revoke({ token }: Reservation): void {
    this.#expire(token);
  }

  #expire(token: string): void {
    const entry = this.#entries.get(token);
    if (!entry) return;
    this.end(entry);
    this.#onExpire(entry);
  }
}
