/** The resources that users of a process share, and the share of each, from the configuration. */
import type { Config } from '../config.js';
import { FairSemaphore } from '../platform/fairness/fair-semaphore.js';
import { KnownCallers } from '../platform/server/known-callers.js';
import type { Services } from '../services.js';
import type { ProcessSettings } from './settings.js';

/** Of the connections for requests, those that are reserved for work that is not done for a user. */
const reserved = 4;

export type ResourceLimits = Pick<
  Services,
  | 'turns'
  | 'knownCallers'
  | 'transfers'
  | 'attachmentStorage'
  | 'answers'
  | 'passwordHashes'
  | 'hashWaitMs'
  | 'bodyRate'
>;

export function sharesOf(config: Config, { bodyGraceMs, hashWaitMs }: ProcessSettings): ResourceLimits {
  const { transferMemory, answerMemory, passwordHashes, bodyBytesPerSecond, operationsPerUser } = config;
  const { attachmentStorage, databaseConnections } = config;
  const workTotal = databaseConnections - reserved;
  const perOrganization = Math.min(2 * operationsPerUser, workTotal - Math.ceil(workTotal / 5));
  const perUser = Math.min(operationsPerUser, perOrganization);
  const shares = { total: workTotal, perOrganization, perUser, waitingPerUser: 10_000 };
  const turns = new FairSemaphore(shares, { holdsBack: true });
  return {
    turns,
    knownCallers: new KnownCallers(turns),
    transfers: bytesOf(transferMemory * 2 ** 20),
    attachmentStorage: {
      perUser: inBytes(attachmentStorage.perUser),
      perOrganization: inBytes(attachmentStorage.perOrganization),
    },
    answers: bytesOf(answerMemory * 2 ** 20, slackOfAnswers),
    passwordHashes: new FairSemaphore({
      total: passwordHashes,
      perOrganization: passwordHashes,
      perUser: 1,
      waitingPerUser: 20,
    }),
    hashWaitMs,
    bodyRate: { bytesPerSecond: bodyBytesPerSecond, graceMs: bodyGraceMs },
  };
}

function inBytes(mebibytes: number | null): number | null {
  return mebibytes === null ? null : mebibytes * 2 ** 20;
}

/** Added to a user's share, so that undelivered events do not prevent the largest response. */
const slackOfAnswers = 8 * 2 ** 20;

/** An organization may use half, a user a quarter plus the slack. */
function bytesOf(total: number, slack = 0): FairSemaphore {
  const [perOrganization, perUser] = [Math.ceil(total / 2), Math.ceil(total / 4) + slack];
  return new FairSemaphore({ total, perOrganization, perUser, waitingPerUser: 100 });
}
