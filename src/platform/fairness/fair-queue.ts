/**
 * A queue that takes turns by organization, and within an organization by user, instead of by arrival: a single item is
 * served before another user's second thousand.
 */
import type { Principal } from './principal.js';

export class FairQueue<Item extends { principal: Principal }> {
  /** Organizations in the order of their next turns; the one that was just served moves to the end. */
  readonly #organizations = new Map<Principal['organizationId'], Map<string, Set<Item>>>();

  get isEmpty(): boolean {
    return this.#organizations.size === 0;
  }

  /** The number of queued items of a user. */
  sizeOf({ organizationId, userId }: Principal): number {
    return this.#organizations.get(organizationId)?.get(userId)?.size ?? 0;
  }

  push(item: Item): void {
    const { organizationId, userId } = item.principal;
    const users = this.#organizations.get(organizationId) ?? new Map<string, Set<Item>>();
    const items = users.get(userId) ?? new Set<Item>();
    items.add(item);
    this.#organizations.set(organizationId, users.set(userId, items));
  }

  /** The first item of the next user in turn whose first item is admitted. */
  next(isAdmitted: (item: Item) => boolean): Item | undefined {
    for (const users of this.#organizations.values()) {
      for (const [item] of users.values()) if (item !== undefined && isAdmitted(item)) return item;
    }
    return undefined;
  }

  /** Removes an item whose turn it was. */
  serve(item: Item): void {
    this.delete(item);
    const { organizationId, userId } = item.principal;
    const users = this.#organizations.get(organizationId);
    if (users) moveToEnd(users, userId);
    moveToEnd(this.#organizations, organizationId);
  }

  /** Removes an item that no longer waits. */
  delete(item: Item): void {
    const { organizationId, userId } = item.principal;
    const users = this.#organizations.get(organizationId);
    const items = users?.get(userId);
    if (!users || !items?.delete(item)) return;
    if (items.size === 0) users.delete(userId);
    if (users.size === 0) this.#organizations.delete(organizationId);
  }
}

function moveToEnd<Key, Value>(map: Map<Key, Value>, key: Key): void {
  const value = map.get(key);
  if (value === undefined) return;
  map.delete(key);
  map.set(key, value);
}
