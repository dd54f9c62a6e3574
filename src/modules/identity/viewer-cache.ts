/**
 * Remembers for one second whom a token belongs to, so that a client with many requests causes one lookup per second
 * and not one per request. A token that ends is rejected at once where its end is notified, and everywhere within that
 * second: an entry is never renewed without the database. While notifications may be missing, nothing is remembered.
 */
import type { Viewer } from './authenticate.js';

export interface ViewerCacheOptions {
  /** How long an entry is used, from the moment before its lookup. */
  lifetimeMs?: number;
  /** Maximum number of entries. */
  maxEntries?: number;
  /** Milliseconds that only ever grow. */
  now?: () => number;
}

interface Entry {
  viewer: Viewer;
  until: number;
}

export class ViewerCache {
  readonly #lifetimeMs: number;
  readonly #maxEntries: number;
  readonly #now: () => number;
  /** By the digest of the token, the first to expire first. */
  readonly #entries = new Map<string, Entry>();
  /** Lookups that have begun, by the digest of the token. */
  readonly #lookups = new Map<string, Promise<Viewer>>();
  #isNotified = false;
  /** Changes with each notification, which may concern a lookup that is under way. */
  #notifications = 0;

  constructor({ lifetimeMs = 1_000, maxEntries = 10_000, now = () => performance.now() }: ViewerCacheOptions = {}) {
    this.#lifetimeMs = lifetimeMs;
    this.#maxEntries = maxEntries;
    this.#now = now;
  }

  /** The viewer of the token if they were looked up within the last second. */
  recall(digest: string): Viewer | undefined {
    const entry = this.#entries.get(digest);
    if (!entry) return undefined;
    const { viewer, until } = entry;
    if (this.#now() < until && (viewer.tokenExpiresAt === null || viewer.tokenExpiresAt.getTime() > Date.now())) {
      return viewer;
    }
    this.#entries.delete(digest);
    return undefined;
  }

  /** Looks the viewer up, once for all requests that ask at the same time. Rejects like `find`. */
  lookUp(digest: string, find: () => Promise<Viewer>): Promise<Viewer> {
    const begun = this.#isNotified ? this.#lookups.get(digest) : undefined;
    if (begun) return begun;
    const lookup = this.#lookUp(digest, find).finally(() => {
      if (this.#lookups.get(digest) === lookup) this.#lookups.delete(digest);
    });
    this.#lookups.set(digest, lookup);
    return lookup;
  }

  /** Forgets a token, or all tokens of a user, by its id. */
  forget(id: string): void {
    this.#forgetLookups();
    for (const [digest, { viewer }] of this.#entries) {
      if (viewer.tokenId === id || viewer.userId === id) this.#entries.delete(digest);
    }
  }

  /** Forgets all tokens of an organization. */
  forgetOrganization(id: number): void {
    this.#forgetLookups();
    for (const [digest, { viewer }] of this.#entries) {
      if (viewer.organizationId === id) this.#entries.delete(digest);
    }
  }

  /** Handles a notification, which begins with the id of a token, a session, a user or a thread. */
  receive(payload: string): void {
    const [id = ''] = payload.split(' ');
    this.forget(id);
  }

  /** Remembers from now on, because every notification arrives. */
  start(): void {
    this.#forgetLookups();
    this.#isNotified = true;
  }

  /** Remembers nothing until `start`, because notifications may be lost. */
  stop(): void {
    this.#isNotified = false;
    this.#forgetLookups();
    this.#entries.clear();
  }

  async #lookUp(digest: string, find: () => Promise<Viewer>): Promise<Viewer> {
    const [until, notifications] = [this.#now() + this.#lifetimeMs, this.#notifications];
    const viewer = await find();
    if (this.#isNotified && notifications === this.#notifications) this.#remember(digest, { viewer, until });
    return viewer;
  }

  /** Keeps what is being looked up from being remembered or shared: it may have been read before the change. */
  #forgetLookups(): void {
    this.#notifications += 1;
    this.#lookups.clear();
  }

  #remember(digest: string, entry: Entry): void {
    this.#entries.delete(digest);
    this.#entries.set(digest, entry);
    for (const [oldest, { until }] of this.#entries) {
      if (this.#entries.size <= this.#maxEntries && until > this.#now()) return;
      this.#entries.delete(oldest);
    }
  }
}
