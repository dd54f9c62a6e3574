/**
 * Turns for finding out who calls. Until that is known, nothing says whose turn it is, and a thousand callers of one user who come at
 * once would keep everybody waiting for the database. So the user whom the same token or session named last counts; nobody is
 * believed by that: it only orders who is looked up first. Those who are not known share what one organization gets, by address.
 */
import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { FairSemaphore } from '../fairness/fair-semaphore.js';
import type { Party } from '../fairness/party.js';
import { addressKey } from '../rates/address-key.js';
import { type RequestSource, sourceOf } from '../rates/request-source.js';
import type { Caller, Credentials } from './caller.js';

const maximum = 10_000;
/** No organization has this number. */
const strangers = 0;

export class KnownCallers {
  /** By the digest of what they show, the one seen longest ago first. */
  readonly #parties = new Map<string, Party>();

  constructor(private readonly turns: FairSemaphore) {}

  /**
   * Runs `find` when it is the caller's turn. Rejects as `find` does, with a `QueueFullError` where too many of the same user
   * wait, or with the reason of the caller's signal.
   */
  async inTurn<Found extends Party>(caller: Caller, find: () => Promise<Found>): Promise<Found> {
    const key = keyOf(caller);
    const found = await this.turns.run(this.#partyOf(key, caller.source), find, caller.signal);
    this.#remember(key, found);
    return found;
  }

  /** On whose behalf a request seems to be made. */
  readonly partyOfRequest = (request: IncomingMessage): Party => {
    const { authorization, cookie } = request.headers;
    return this.partyOf({ authorization, cookie, source: sourceOf(request) });
  };

  partyOf(caller: Pick<Caller, 'authorization' | 'cookie' | 'source'>): Party {
    return this.#partyOf(keyOf(caller), caller.source);
  }

  #partyOf(key: string, { address }: RequestSource): Party {
    return this.#parties.get(key) ?? { organizationId: strangers, userId: addressKey(address) };
  }

  #remember(key: string, { organizationId, userId }: Party): void {
    this.#parties.delete(key);
    this.#parties.set(key, { organizationId, userId });
    if (this.#parties.size <= maximum) return;
    const [oldest] = this.#parties.keys();
    if (oldest !== undefined) this.#parties.delete(oldest);
  }
}

/** A digest, so that no secret stays in memory. */
function keyOf({ authorization, cookie }: Credentials): string {
  return createHash('sha256')
    .update(authorization ?? cookie ?? '')
    .digest('base64');
}
