/** What an operator need not know of; tests make it faster. */
import { join } from 'node:path';
import { defaultSignInLimits, type SignInLimits } from '../auth/throttle.js';
import { prismaFolder } from '../database/migrations/folder.js';
import type { GraphqlSettings } from '../graphql/settings.js';
import { defaultGenerationLimits, type GenerationLimits } from '../modules/responses/generation/limits.js';
import { defaultRetrySettings, type RetrySettings } from '../modules/responses/generation/retry.js';
import { defaultLeaseSettings, type LeaseSettings } from '../modules/responses/worker/lease-settings.js';
import { defaultSseTimes } from '../rest/sse.js';

export interface ProcessSettings {
  lease: LeaseSettings;
  limits: GenerationLimits;
  retry: RetrySettings;
  sse: { pingMs: number; stallMs: number };
  graphql: Partial<GraphqlSettings>;
  signInLimits: SignInLimits;
  /** Where the build of the web application is. */
  webFolder: string;
  /** Responses that run at the same time. */
  concurrency: number;
  /** How long a body may take before its rate counts. */
  bodyGraceMs: number;
  /** How long somebody waits for the hash of a password at most. */
  hashWaitMs: number;
  /** How often it is looked whether those who have something open may still have it. */
  accessCheckMs: number;
  /** How often a worker looks for threads whose state contradicts their response. */
  repairMs: number;
}

export const defaultProcessSettings: ProcessSettings = {
  lease: defaultLeaseSettings,
  limits: defaultGenerationLimits,
  retry: defaultRetrySettings,
  sse: defaultSseTimes,
  graphql: {},
  signInLimits: defaultSignInLimits,
  webFolder: join(prismaFolder(), '../dist/web'),
  concurrency: 64,
  bodyGraceMs: 10_000,
  hashWaitMs: 15_000,
  accessCheckMs: 1_000,
  repairMs: 60_000,
};
