import type { Logger } from 'pino';
import { Rates } from '../../src/platform/rates/rates.js';

/** Limits that nothing meets. */
export function unlimitedRates(logger: Logger): Rates {
  const limits = {
    requests: null,
    unauthenticated: null,
    messages: null,
    'organization-messages': null,
    'sign-ins': null,
  };
  return new Rates({ limits, createStore: () => null, logger });
}
