/**
 * Counts the open streams of each user and organization in this process. A full process evicts the oldest stream of
 * whoever has the most, in favour of a newcomer who has fewer. Organizations are compared first and their users second,
 * so an organization gains nothing from many accounts. An old stream ends without its last event, so that none outlives a
 * token or a deployment for long; its client resumes.
 */
import type { GraphQLError } from 'graphql';
import { afterMs, type Ending, onAbort } from '../../platform/async/cancellable-stream.js';
import type { Principal } from '../../platform/fairness/principal.js';
import type { StreamSettings } from '../settings.js';
import { limitExceeded } from './limit-exceeded.js';

/** A place for one stream. */
export interface StreamPlace {
  /** Releases the place; further calls do nothing. */
  release: () => void;
  /** Aborts when the place is given to another stream: this stream must end. */
  evicted: AbortSignal;
  /** What ends the stream: eviction, its age, and that its caller leaves. */
  endings(left: AbortSignal): Ending[];
}

interface Holding extends Principal {
  eviction: AbortController;
}

export class StreamQuota {
  readonly #settings: StreamSettings;
  /** The streams of each organization and of each user, oldest first. */
  readonly #ofOrganizations = new Map<number, Set<Holding>>();
  readonly #ofUsers = new Map<string, Set<Holding>>();
  #total = 0;

  constructor(settings: StreamSettings) {
    this.#settings = settings;
  }

  get total(): number {
    return this.#total;
  }

  /** Takes a place, or returns the error if there is none. */
  take({ userId, organizationId }: Principal): StreamPlace | { refusal: GraphQLError } {
    const { perUser, perOrganization, perProcess, maxLifeMs } = this.#settings;
    if (sizeOf(this.#ofUsers, userId) >= perUser) return { refusal: limitExceeded('streams', perUser) };
    if (sizeOf(this.#ofOrganizations, organizationId) >= perOrganization) {
      return { refusal: limitExceeded('organizationStreams', perOrganization) };
    }
    if (this.#total >= perProcess && !this.#makeRoom({ userId, organizationId })) {
      return { refusal: limitExceeded('processStreams', perProcess) };
    }
    const holding = { userId, organizationId, eviction: new AbortController() };
    this.#add(holding);
    const evicted = holding.eviction.signal;
    return {
      release: () => this.#remove(holding),
      evicted,
      endings: (left) => [onAbort(evicted), afterMs(maxLifeMs), onAbort(left)],
    };
  }

  /** Evicts a stream of whoever would still have more than the newcomer; false if there is nobody. */
  #makeRoom({ userId, organizationId }: Principal): boolean {
    const own = this.#ofOrganizations.get(organizationId) ?? new Set();
    const largest = largestOf(this.#ofOrganizations.values());
    const isFromLargest = own.size + 1 < largest.size;
    const users = new Set([...(isFromLargest ? largest : own)].map((holding) => holding.userId));
    const streams = largestOf([...users].map((user) => this.#ofUsers.get(user) ?? new Set()));
    const [oldest] = streams;
    if (!oldest || (!isFromLargest && sizeOf(this.#ofUsers, userId) + 1 >= streams.size)) return false;
    this.#remove(oldest);
    oldest.eviction.abort();
    return true;
  }

  #add(holding: Holding): void {
    const { organizationId, userId } = holding;
    this.#ofOrganizations.set(organizationId, (this.#ofOrganizations.get(organizationId) ?? new Set()).add(holding));
    this.#ofUsers.set(userId, (this.#ofUsers.get(userId) ?? new Set()).add(holding));
    this.#total += 1;
  }

  #remove(holding: Holding): void {
    const { organizationId, userId } = holding;
    if (!this.#ofUsers.get(userId)?.delete(holding)) return;
    this.#ofOrganizations.get(organizationId)?.delete(holding);
    this.#total -= 1;
    if (sizeOf(this.#ofUsers, userId) === 0) this.#ofUsers.delete(userId);
    if (sizeOf(this.#ofOrganizations, organizationId) === 0) this.#ofOrganizations.delete(organizationId);
  }
}

function sizeOf<Key>(sets: ReadonlyMap<Key, ReadonlySet<Holding>>, key: Key): number {
  return sets.get(key)?.size ?? 0;
}

function largestOf(sets: Iterable<ReadonlySet<Holding>>): ReadonlySet<Holding> {
  return [...sets].reduce((largest, set) => (set.size > largest.size ? set : largest), new Set<Holding>());
}
