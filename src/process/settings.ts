/** Settings of a process, configurable or not; tests make them faster. */
import { join } from 'node:path';
import { defaultSignInLimits, type SignInLimits } from '../auth/throttle.js';
import type { Config } from '../config.js';
import { defaultStatementLimits, type StatementLimits } from '../database/client.js';
import { prismaFolder } from '../database/migrations/folder.js';
import type { GraphqlSettings } from '../graphql/settings.js';
import type { ViewerCacheOptions } from '../modules/identity/viewer-cache.js';
import { defaultPresenceTimes, type PresenceTimes } from '../modules/presence/presence.js';
import { defaultGenerationLimits, type GenerationLimits } from '../modules/responses/generation/limits.js';
import { defaultRetrySettings, type RetrySettings } from '../modules/responses/generation/retry.js';
import {
  defaultLeaseSettings,
  type LeaseSettings,
  leaseSettingsOf,
} from '../modules/responses/worker/lease-settings.js';
import { defaultSseTimes } from '../rest/sse.js';

export interface ProcessSettings {
  lease: LeaseSettings;
  limits: GenerationLimits;
  retry: RetrySettings;
  sse: { pingMs: number; stallMs: number };
  graphql: Partial<GraphqlSettings>;
  presence: PresenceTimes;
  viewerCache: ViewerCacheOptions;
  signInLimits: SignInLimits;
  statementLimits: StatementLimits;
  /** The folder with the build of the web application. */
  webFolder: string;
  /** Maximum number of running responses. */
  concurrency: number;
  /** Grace period before the minimum rate of bodies applies. */
  bodyGraceMs: number;
  /** Maximum time that the lookup of a caller waits for its turn. */
  lookupWaitMs: number;
  /** Maximum time to wait for hashing a password. */
  hashWaitMs: number;
  /** Maximum time that a large answer waits for room among the others. */
  answerWaitMs: number;
  /** The interval at which the access of open streams is checked. */
  accessCheckMs: number;
  /** The interval at which a worker looks for threads whose state contradicts their response; null: never. */
  repairMs: number | null;
  /** The interval at which expired rows are removed, the first time at the start; null: never. */
  housekeepingMs: number | null;
}

export const defaultProcessSettings: ProcessSettings = {
  lease: defaultLeaseSettings,
  limits: defaultGenerationLimits,
  retry: defaultRetrySettings,
  sse: defaultSseTimes,
  graphql: {},
  presence: defaultPresenceTimes,
  viewerCache: {},
  signInLimits: defaultSignInLimits,
  statementLimits: defaultStatementLimits,
  webFolder: join(prismaFolder(), '../dist/web'),
  concurrency: 256,
  bodyGraceMs: 10_000,
  lookupWaitMs: 5_000,
  hashWaitMs: 15_000,
  answerWaitMs: 5_000,
  accessCheckMs: 1_000,
  repairMs: 60_000,
  housekeepingMs: 600_000,
};

/** The settings that the configuration determines, with the defaults of the others. */
export function settingsOf(config: Config): ProcessSettings {
  const deadlineMs = config.responseSeconds * 1000;
  return {
    ...defaultProcessSettings,
    concurrency: config.responsesPerProcess,
    lease: leaseSettingsOf({ leaseMs: config.leaseSeconds * 1000, deadlineMs }),
    limits: {
      ...defaultGenerationLimits,
      firstEventMs: config.firstTokenSeconds * 1000,
      silenceMs: config.silenceSeconds * 1000,
      totalMs: deadlineMs,
    },
    retry: { ...defaultRetrySettings, maxCalls: config.callsPerResponse },
  };
}

/** The GraphQL settings of the configuration. */
export function graphqlOf(config: Config, { graphql }: ProcessSettings): Partial<GraphqlSettings> {
  const { introspection, graphiql, trustedDocuments } = config;
  const { streamsPerUser: perUser, streamsPerOrganization: perOrganization, streamsPerProcess: perProcess } = config;
  const streams = { perUser, perOrganization, perProcess, maxLifeMs: 15 * 60_000 };
  return { introspection, graphiql, trustedDocuments, streams, ...graphql };
}
