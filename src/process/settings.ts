/** What an operator need not know of; tests make it faster. */
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
  concurrency: 64,
  queueLimitMs: 600_000,
};
