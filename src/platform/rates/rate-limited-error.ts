import { DomainError } from '../../errors.js';
import { type PolicyName, type Quota, resetSeconds } from './quota.js';

/** Too many requests, messages or sign-in attempts. The rejected request had no effect and may be repeated. */
export class RateLimitedError extends DomainError {
  /** In seconds. */
  readonly retryAfter: number;

  constructor(quota: Quota) {
    const { name, limit, seconds } = quota.policy;
    const retryAfter = resetSeconds(quota);
    super('RATE_LIMITED', `More than ${limit} ${counted[name]} in ${seconds} s. Try again in ${retryAfter} s.`, {
      limit: name,
      maximum: limit,
      retryAfter,
      http: { status: 429, headers: { 'retry-after': String(retryAfter) } },
    });
    this.retryAfter = retryAfter;
  }
}

const counted: Record<PolicyName, string> = {
  requests: 'requests with this token',
  unauthenticated: 'requests without a valid token from your address',
  messages: 'messages of yours',
  'organization-messages': 'messages of your organization',
  'sign-ins': 'attempts to sign in from your address',
  'account-sign-ins': 'attempts to sign in to this account',
};
