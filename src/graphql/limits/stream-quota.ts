/**
 * Counts the open streams of each user and organization in this process. A full process evicts the oldest stream of
 * whoever has the most, in favour of a newcomer who has fewer. Organizations are compared first and their users second,
 * so an organization gains nothing from many accounts. An old stream ends without its last event, so that none outlives a
 * token or a deployment for long; its client resumes.
 */
import type { GraphQLError } from 'graphql';
import { afterMs, type Ending, onAbort } from '../../platform/async/cancellable-stream.js';
import { Counts } from '../../platform/fairness/counts.js';
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
  /** All streams that are open, the oldest first. */
  readonly #open = new Set<Holding>();
  readonly #ofOrganizations = new Counts<Principal['organizationId']>();
  readonly #ofUsers = new Counts<string>();

  constructor(settings: StreamSettings) {
    this.#settings = settings;
  }

  get total(): number {
    return this.#open.size;
  }

  /** Takes a place, or returns the error if there is none. */
  take({ userId, organizationId }: Principal): StreamPlace | { refusal: GraphQLError } {
    const { perUser, perOrganization, perProcess, maxLifeMs } = this.#settings;
    if (this.#ofUsers.of(userId) >= perUser) return { refusal: limitExceeded('streams', perUser) };
    if (this.#ofOrganizations.of(organizationId) >= perOrganization) {
      return { refusal: limitExceeded('organizationStreams', perOrganization) };
    }
    if (this.total >= perProcess && !this.#makeRoom({ userId, organizationId })) {
      return { refusal: limitExceeded('processStreams', perProcess) };
    }
    const holding = { userId, organizationId, eviction: new AbortController() };
    this.#open.add(holding);
    this.#count(holding, 1);
    const evicted = holding.eviction.signal;
    return {
      release: () => this.#remove(holding),
      evicted,
      endings: (left) => [onAbort(evicted), afterMs(maxLifeMs), onAbort(left)],
    };
  }

  /** Evicts a stream of whoever would still have more than the newcomer; false if there is nobody. */
  #makeRoom({ userId, organizationId }: Principal): boolean {
    const countOf = (holding: Principal) => this.#ofOrganizations.of(holding.organizationId);
    const largest = firstOfMost([...this.#open], countOf);
    if (!largest) return false;
    const isFromOwn = countOf({ userId, organizationId }) + 1 >= countOf(largest);
    const evictedId = isFromOwn ? organizationId : largest.organizationId;
    const candidates = [...this.#open].filter((holding) => holding.organizationId === evictedId);
    const oldest = firstOfMost(candidates, (holding) => this.#ofUsers.of(holding.userId));
    if (!oldest || (isFromOwn && this.#ofUsers.of(userId) + 1 >= this.#ofUsers.of(oldest.userId))) return false;
    this.#remove(oldest);
    oldest.eviction.abort();
    return true;
  }

  #remove(holding: Holding): void {
    if (this.#open.delete(holding)) this.#count(holding, -1);
  }

  #count({ userId, organizationId }: Principal, difference: 1 | -1): void {
    this.#ofUsers.add(userId, difference);
    this.#ofOrganizations.add(organizationId, difference);
  }
}

/** The oldest stream of whoever has the most. */
function firstOfMost(holdings: readonly Holding[], countOf: (holding: Holding) => number): Holding | undefined {
  const [first] = holdings;
  return holdings.reduce((most, holding) => (most && countOf(holding) <= countOf(most) ? most : holding), first);
}
