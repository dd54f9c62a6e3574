/**
 * The streams that clients reserved (`PUT /graphql/stream`), to get the results of many operations over one connection. A
 * reservation belongs to the user who made it: for anybody else there is none. It waits shortly for its connection, is good
 * for one, and counts for the limits of streams from its beginning to its end.
 */
import { randomUUID } from 'node:crypto';
import { setMaxListeners } from 'node:events';
import type { Party } from '../../fairness/party.js';
import type { Credentials } from '../../server/caller.js';
import { type StreamPlace, StreamQuota } from '../limits/stream-quota.js';
import type { GraphqlSettings } from '../settings.js';
import { Backlog } from './backlog.js';

export interface Reservation extends Party {
  /** Only its owner was told. Who presents it may open the stream, as a browser's `EventSource` cannot send headers. */
  readonly token: string;
  /** Of the request that reserved it; looked at again when the stream is opened by its token alone. */
  readonly credentials: Credentials;
  readonly backlog: Backlog;
  /** Aborts when the stream ends, also where its place went to somebody else. */
  readonly signal: AbortSignal;
}

interface Entry extends Reservation {
  abort: AbortController;
  place: StreamPlace;
  expiry: NodeJS.Timeout;
}

export class Reservations {
  readonly #settings: Pick<GraphqlSettings, 'streams' | 'reservationMs'>;
  readonly #onExpire: (reservation: Reservation) => void;
  readonly #entries = new Map<string, Entry>();
  readonly #quota: StreamQuota;

  /** `onExpire` is told of a reservation that found no connection in time. */
  constructor(
    settings: Pick<GraphqlSettings, 'streams' | 'reservationMs'>,
    onExpire: (reservation: Reservation) => void,
  ) {
    this.#settings = settings;
    this.#onExpire = onExpire;
    this.#quota = new StreamQuota(settings.streams);
  }

  /** Throws a `GraphQLError` where the user or the process has too many. */
  add(owner: Party & Pick<Reservation, 'credentials'>): Reservation {
    const place = this.#quota.take(owner);
    if ('refusal' in place) throw place.refusal;
    const [token, abort] = [randomUUID(), new AbortController()];
    const expiry = setTimeout(() => this.#expire(token), this.#settings.reservationMs).unref();
    const { signal } = abort;
    // Each of its operations listens, and their number has a limit of its own.
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

  /** Ends the stream because its owner may not have it any more, connected or not. */
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
