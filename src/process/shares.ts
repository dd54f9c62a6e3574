/** The resources that users of a process share, and the share of each, from the configuration. */
import type { Config } from '../config.js';
import { limitExceeded } from '../graphql/limits/limit-exceeded.js';
import { FairSemaphore, type SemaphoreOptions } from '../platform/fairness/fair-semaphore.js';
import { BusyError, noTurnError } from '../platform/fairness/overload-errors.js';
import type { Services } from '../services.js';
import type { ProcessSettings } from './settings.js';

/** Of the connections for requests, those that are reserved for work that is not done for a user, or not yet. */
const reserved = 4;

/** Maximum time to wait for room for an attachment. */
const transferWaitMs = 15_000;
const tooManyTransfers = 'Too many attachments are being transferred.';

export type ResourceLimits = Pick<
  Services,
  | 'turns'
  | 'lookups'
  | 'transfers'
  | 'attachmentWrites'
  | 'attachmentStorage'
  | 'answers'
  | 'passwordHashes'
  | 'bodyRate'
>;

export function sharesOf(config: Config, settings: ProcessSettings): ResourceLimits {
  const { bodyGraceMs, hashWaitMs, answerWaitMs, lookupWaitMs } = settings;
  const { transferMemory, answerMemory, passwordHashes: total, bodyBytesPerSecond, attachmentStorage } = config;
  return {
    turns: turnsOf(config),
    lookups: new FairSemaphore(
      { total: reserved, perOrganization: 3, perUser: 2, waitingPerUser: 10_000 },
      // Turns come quickly unless the database does not answer, and then none of those who wait would ever be told.
      { waitMs: lookupWaitMs, refusal: noTurnError },
    ),
    transfers: bytesOf(transferMemory * 2 ** 20, {
      waitMs: transferWaitMs,
      refusal: () => new BusyError(tooManyTransfers),
    }),
    attachmentWrites: new FairSemaphore(
      { total: 2, perOrganization: 2, perUser: 1, waitingPerUser: 100 },
      { refusal: () => new BusyError(tooManyTransfers) },
    ),
    attachmentStorage: {
      perUser: inBytes(attachmentStorage.perUser),
      perOrganization: inBytes(attachmentStorage.perOrganization),
    },
    answers: bytesOf(
      answerMemory * 2 ** 20,
      { waitMs: answerWaitMs, refusal: () => limitExceeded('answerMemory', answerWaitMs) },
      slackOfAnswers,
    ),
    passwordHashes: new FairSemaphore(
      { total, perOrganization: total, perUser: 1, waitingPerUser: 20 },
      { waitMs: hashWaitMs, refusal: () => new BusyError('Too many sign-ins from your address at the same time.') },
    ),
    bodyRate: { bytesPerSecond: bodyBytesPerSecond, graceMs: bodyGraceMs },
  };
}

function turnsOf({ operationsPerUser, databaseConnections }: Config): FairSemaphore {
  const total = databaseConnections - reserved;
  const perOrganization = Math.min(2 * operationsPerUser, total - Math.ceil(total / 5));
  const perUser = Math.min(operationsPerUser, perOrganization);
  return new FairSemaphore(
    { total, perOrganization, perUser, waitingPerUser: 10_000 },
    {
      holdsBack: true,
      refusal: () => new BusyError('Too many of your requests are queued (maximum 10,000).'),
    },
  );
}

function inBytes(mebibytes: number | null): number | null {
  return mebibytes === null ? null : mebibytes * 2 ** 20;
}

/** Added to a user's share, so that undelivered events do not prevent the largest response. */
const slackOfAnswers = 8 * 2 ** 20;

/** An organization may use half, a user a quarter plus the slack. */
function bytesOf(total: number, options: SemaphoreOptions, slack = 0): FairSemaphore {
  const [perOrganization, perUser] = [Math.ceil(total / 2), Math.ceil(total / 4) + slack];
  return new FairSemaphore({ total, perOrganization, perUser, waitingPerUser: 100 }, options);
}
