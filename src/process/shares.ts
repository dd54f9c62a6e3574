/** What the users of one process share, and how much of it each may have, out of the configuration. */
import type { Config } from '../config.js';
import { FairSemaphore } from '../fairness/fair-semaphore.js';
import type { RateLimits } from '../minimum-rate.js';
import type { ProcessSettings } from './settings.js';

export interface SharedThings {
  /** Bytes of attachments that are in memory, on their way in or out. */
  transfers: FairSemaphore;
  /** Bytes of large answers that are being made, or that their callers have not taken yet. */
  answers: FairSemaphore;
  /** Passwords that are hashed at the same time. */
  passwordHashes: FairSemaphore;
  bodyRate: RateLimits;
}

export function sharesOf(
  { transferBytes, answerMemory, passwordHashes, bodyBytesPerSecond }: Config,
  { bodyGraceMs }: ProcessSettings,
): SharedThings {
  return {
    transfers: bytesOf(transferBytes),
    answers: bytesOf(answerMemory * 2 ** 20),
    passwordHashes: new FairSemaphore({
      total: passwordHashes,
      perOrganization: passwordHashes,
      perUser: 1,
      waitingPerUser: 20,
    }),
    bodyRate: { bytesPerSecond: bodyBytesPerSecond, graceMs: bodyGraceMs },
  };
}

/** An organization may have half of it, a user a quarter. */
function bytesOf(total: number): FairSemaphore {
  const [perOrganization, perUser] = [Math.ceil(total / 2), Math.ceil(total / 4)];
  return new FairSemaphore({ total, perOrganization, perUser, waitingPerUser: 100 });
}
