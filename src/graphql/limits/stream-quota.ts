/**
 * Counts the open streams of each user and organization in this process. A full process evicts the oldest stream of
 * whoever has the most, in favour of a newcomer who has fewer. Organizations are compared first and their users second,
 * so an organization gains nothing from many accounts.
 */
import type { GraphQLError } from 'graphql';
import type { Principal } from '../../platform/fairness/principal.js';
import type { StreamSettings } from '../settings.js';
import { limitExceeded } from './limit-exceeded.js';

/** A place for one stream. */
export interface StreamPlace {
  /** Releases the place; further calls do nothing. */
  release: () => void;
  /** Aborts when the place is given to another stream: this stream must end. */
  evicted: AbortSignal;
}

interface Holding {
  principal: Principal;
  eviction: AbortController;
}

/** The streams of each user of an organization, oldest first. */
type Users = Map<string, Set<Holding>>;

export class StreamQuota {
  readonly #maximums: Pick<StreamSettings, 'perUser' | 'perOrganization' | 'perProcess'>;
  readonly #organizations = new Map<number, Users>();
  readonly #totals = new Map<number, number>();
  #total = 0;

  constructor(maximums: Pick<StreamSettings, 'perUser' | 'perOrganization' | 'perProcess'>) {
    this.#maximums = maximums;
  }

  get total(): number {
    return this.#total;
  }

  /** Takes a place, or returns the error if there is none. */
  take({ userId, organizationId }: Principal): StreamPlace | { refusal: GraphQLError } {
    const principal = { userId, organizationId };
    const { perUser, perOrganization, perProcess } = this.#maximums;
    if (this.#ofUser(principal) >= perUser) return { refusal: limitExceeded('streams', perUser) };
    if (this.#ofOrganization(organizationId) >= perOrganization) {
      return { refusal: limitExceeded('organizationStreams', perOrganization) };
    }
    if (this.#total >= perProcess && !this.#makeRoom(principal)) {
      return { refusal: limitExceeded('processStreams', perProcess) };
    }
    const holding: Holding = { principal, eviction: new AbortController() };
    this.#add(holding);
    return { release: () => this.#remove(holding), evicted: holding.eviction.signal };
  }

  #ofUser({ organizationId, userId }: Principal): number {
    return this.#organizations.get(organizationId)?.get(userId)?.size ?? 0;
  }

  #ofOrganization(organizationId: number): number {
    return this.#totals.get(organizationId) ?? 0;
  }

  /** Evicts a stream of whoever would still have more than the newcomer; false if there is nobody. */
  #makeRoom(newcomer: Principal): boolean {
    const own = newcomer.organizationId;
    const largest = keyOfMost(this.#totals, (total) => total);
    const isFromLargest =
      largest !== undefined && largest !== own && this.#ofOrganization(own) + 1 < this.#ofOrganization(largest);
    const users = this.#organizations.get(isFromLargest ? largest : own);
    const giver = users && keyOfMost(users, ({ size }) => size);
    const [oldest] = (giver !== undefined && users?.get(giver)) || [];
    if (!oldest) return false;
    if (!isFromLargest && this.#ofUser(newcomer) + 1 >= this.#ofUser(oldest.principal)) return false;
    this.#remove(oldest);
    oldest.eviction.abort();
    return true;
  }

  #add(holding: Holding): void {
    const { organizationId, userId } = holding.principal;
    const users: Users = this.#organizations.get(organizationId) ?? new Map();
    const streams = users.get(userId) ?? new Set();
    this.#organizations.set(organizationId, users.set(userId, streams.add(holding)));
    this.#totals.set(organizationId, this.#ofOrganization(organizationId) + 1);
    this.#total += 1;
  }

  #remove(holding: Holding): void {
    const { organizationId, userId } = holding.principal;
    const users = this.#organizations.get(organizationId);
    const streams = users?.get(userId);
    if (!users || !streams?.delete(holding)) return;
    this.#total -= 1;
    this.#totals.set(organizationId, this.#ofOrganization(organizationId) - 1);
    if (streams.size > 0) return;
    users.delete(userId);
    if (users.size > 0) return;
    this.#organizations.delete(organizationId);
    this.#totals.delete(organizationId);
  }
}

/** The key with the greatest value. */
function keyOfMost<Key, Value>(entries: ReadonlyMap<Key, Value>, sizeOf: (value: Value) => number): Key | undefined {
  let most: { key: Key; size: number } | undefined;
  for (const [key, value] of entries) if (!most || sizeOf(value) > most.size) most = { key, size: sizeOf(value) };
  return most?.key;
}
