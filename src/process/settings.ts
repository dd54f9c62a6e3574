/** What an operator need not know of; tests make it faster. */
import { join } from 'node:path';
import { defaultSignInLimits, type SignInLimits } from '../auth/throttle.js';
import { prismaFolder } from '../database/migration-folder.js';
import type { GraphqlSettings } from '../graphql/settings.js';
import { defaultGenerationLimits, type GenerationLimits } from '../modules/responses/generation-limits.js';
import { defaultLeaseSettings, type LeaseSettings } from '../modules/responses/lease-settings.js';
import { defaultRetrySettings, type RetrySettings } from '../modules/responses/retry.js';
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
  queueLimitMs: number;
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
  queueLimitMs: 600_000,
};
