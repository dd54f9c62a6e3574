/**
 * Schedules authentication in turns. Before it nothing tells whose turn it is, and a thousand concurrent requests of
 * one user would delay everybody. The user that the same token or session belonged to last time is therefore assumed;
 * this determines the order only and grants nothing. Unknown callers share the turns of one organization, by address.
 */
import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { FairSemaphore } from '../fairness/fair-semaphore.js';
import type { Party } from '../fairness/party.js';
import { addressKey } from '../rates/address-key.js';
import { type RequestSource, sourceOf } from '../rates/request-source.js';
import type { Caller, Credentials } from './caller.js';

const maximum = 10_000;
/** No organization has this id. */
const strangers = 0;

export class KnownCallers {
  readonly #turns: FairSemaphore;
  /** Parties by the digest of their credentials, the least recently seen first. */
  readonly #parties = new Map<string, Party>();

  constructor(turns: FairSemaphore) {
    this.#turns = turns;
  }

  /**
   * Runs `find` in the caller's turn. Rejects like `find`, with a `QueueFullError` if too many of the same user wait,
   * or with the abort reason of the caller's signal.
   */
  async inTurn<Found extends Party>(caller: Caller, find: () => Promise<Found>): Promise<Found> {
    const key = keyOf(caller);
    const found = await this.#turns.run(this.#partyOf(key, caller.source), find, caller.signal);
    this.#remember(key, found);
    return found;
  }

  /** Guesses the party of a request. */
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

/** A digest, so that no secret remains in memory. */
function keyOf({ authorization, cookie }: Credentials): string {
  return createHash('sha256')
    .update(authorization ?? cookie ?? '')
    .digest('base64');
}
