/**
 * A queue that takes turns by organization, and within an organization by user, instead of by arrival: a single item is
 * served before another user's second thousand.
 */
import type { Principal } from './principal.js';

export class FairQueue<Item> {
  /** Organizations in the order of their next turns; the one that was just served moves to the end. */
  readonly #organizations = new Map<number, Map<string, Set<Item>>>();
  #size = 0;

  get size(): number {
    return this.#size;
  }

  /** The number of queued items of a user. */
  sizeOf({ organizationId, userId }: Principal): number {
    return this.#organizations.get(organizationId)?.get(userId)?.size ?? 0;
  }

  push({ organizationId, userId }: Principal, item: Item): void {
    const users = this.#organizations.get(organizationId) ?? new Map<string, Set<Item>>();
    const items = users.get(userId) ?? new Set<Item>();
    items.add(item);
    this.#organizations.set(organizationId, users.set(userId, items));
    this.#size += 1;
  }

  /** Removes and returns the first admitted item of the next user in turn; undefined if there is none. */
  shift(isAdmitted: (item: Item) => boolean = () => true): Item | undefined {
    const next = this.#next(isAdmitted);
    if (!next) return undefined;
    const { organizationId, userId } = next.principal;
    const users = this.#organizations.get(organizationId);
    this.delete(next.principal, next.item);
    if (users) moveToEnd(users, userId);
    moveToEnd(this.#organizations, organizationId);
    return next.item;
  }

  /** Returns what `shift` would remove. */
  peek(isAdmitted: (item: Item) => boolean = () => true): Item | undefined {
    return this.#next(isAdmitted)?.item;
  }

  #next(isAdmitted: (item: Item) => boolean): { principal: Principal; item: Item } | undefined {
    for (const [organizationId, users] of this.#organizations) {
      for (const [userId, items] of users) {
        const [item] = items;
        if (item !== undefined && isAdmitted(item)) return { principal: { organizationId, userId }, item };
      }
    }
    return undefined;
  }

  /** Removes an item that no longer waits. */
  delete({ organizationId, userId }: Principal, item: Item): void {
    const users = this.#organizations.get(organizationId);
    const items = users?.get(userId);
    if (!users || !items?.delete(item)) return;
    this.#size -= 1;
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
