/**
 * Schedules authentication in turns. Before it nothing tells whose turn it is, and a thousand concurrent requests of
 * one user would delay everybody. The user that the same token or session belonged to last time is therefore assumed;
 * this determines the order only and grants nothing. Unknown callers share the turns of one organization, by address.
 */
import { hash } from 'node:crypto';
import type { FairSemaphore } from '../fairness/fair-semaphore.js';
import type { Principal } from '../fairness/principal.js';
import { addressKey } from '../rates/caller-address.js';
import type { RequestSource } from '../rates/request-source.js';
import type { Caller, Credentials } from './caller.js';

const maximum = 10_000;
/** No organization has this id. */
const anonymousOrganization = 0;

export class KnownCallers {
  readonly #turns: FairSemaphore;
  /** Principals by the digest of their credentials, the least recently seen first. */
  readonly #principals = new Map<string, Principal>();

  constructor(turns: FairSemaphore) {
    this.#turns = turns;
  }

  /** Runs `find` in the caller's turn. Rejects like `find`, or as a turn is refused. */
  async inTurn<Found extends Principal>(caller: Caller, find: () => Promise<Found>): Promise<Found> {
    const key = keyOf(caller);
    const found = await this.#turns.run(this.#principalOf(key, caller.source), find, caller.signal);
    this.#remember(key, found);
    return found;
  }

  #principalOf(key: string, { address }: RequestSource): Principal {
    return this.#principals.get(key) ?? { organizationId: anonymousOrganization, userId: addressKey(address) };
  }

  #remember(key: string, { organizationId, userId }: Principal): void {
    this.#principals.delete(key);
    this.#principals.set(key, { organizationId, userId });
    if (this.#principals.size <= maximum) return;
    const [oldest] = this.#principals.keys();
    if (oldest !== undefined) this.#principals.delete(oldest);
  }
}

/** A digest, so that no secret remains in memory. */
function keyOf({ authorization, cookie }: Credentials): string {
  return hash('sha256', authorization ?? cookie ?? '', 'base64');
}
