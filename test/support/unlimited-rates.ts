import type { Logger } from 'pino';
import { Rates } from '../../src/platform/rates/rates.js';

/** Limits that nothing meets. */
export function unlimitedRates(logger: Logger): Rates {
  const limits = {
    requestsPerToken: null,
    requestsPerAddress: null,
    messagesPerUser: null,
    messagesPerOrganization: null,
    signInsPerAddress: null,
  };
  return new Rates({ limits, createStore: () => null, logger });
}
