/** What the users of one process share, and how much of it each may have, out of the configuration. */
import type { Config } from '../config.js';
import { FairSemaphore } from '../fairness/fair-semaphore.js';
import type { RateLimits } from '../minimum-rate.js';
import type { ProcessSettings } from './settings.js';

export interface SharedThings {
  /** Bytes of attachments that are in memory, on their way in or out. */
  transfers: FairSemaphore;
  bodyRate: RateLimits;
}

export function sharesOf(
  { transferBytes, bodyBytesPerSecond }: Config,
  { bodyGraceMs }: ProcessSettings,
): SharedThings {
  return {
    transfers: new FairSemaphore({
      total: transferBytes,
      perOrganization: Math.ceil(transferBytes / 2),
      perUser: Math.ceil(transferBytes / 4),
      waitingPerUser: 100,
    }),
    bodyRate: { bytesPerSecond: bodyBytesPerSecond, graceMs: bodyGraceMs },
  };
}
