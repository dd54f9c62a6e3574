import type { EnvironmentReader } from '../environment/environment-reader.js';
import type { CallLimits } from './rates.js';

/**
 * The defaults are far above the needs of a backend that serves all its users with one token, or of an office that
 * shares an address.
 */
export function readRateLimits(read: EnvironmentReader): CallLimits {
  return {
    requests: read.rate('REQUESTS_PER_TOKEN', 60_000),
    unauthenticated: read.rate('REQUESTS_PER_ADDRESS', 1200),
    messages: read.rate('MESSAGES_PER_USER', 6000),
    'organization-messages': read.rate('MESSAGES_PER_ORGANIZATION', 30_000),
    'sign-ins': read.rate('SIGN_INS_PER_ADDRESS', 60),
  };
}
