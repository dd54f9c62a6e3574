/** The result of a rate limit for a request, and its headers (draft-ietf-httpapi-ratelimit-headers). */
export interface RatePolicy {
  name: PolicyName;
  limit: number;
  /** Length of the window in seconds. */
  seconds: number;
}

export type PolicyName =
  | 'requests'
  | 'unauthenticated'
  | 'messages'
  | 'organization-messages'
  | 'sign-ins'
  | 'account-sign-ins';

export interface Quota {
  policy: RatePolicy;
  isAllowed: boolean;
  remaining: number;
  /** Milliseconds until the window ends. */
  resetMs: number;
}

/** Seconds until the window ends, rounded up. */
export function resetSeconds({ resetMs }: Quota): number {
  return Math.max(1, Math.ceil(resetMs / 1000));
}

/** The headers for all limits that were checked; none if there were none. */
export function quotaHeaders(quotas: readonly Quota[]): Record<string, string> {
  if (quotas.length === 0) return {};
  const policies = quotas.map(({ policy: { name, limit, seconds } }) => `"${name}";q=${limit};w=${seconds}`);
  const states = quotas.map((quota) => `"${quota.policy.name}";r=${quota.remaining};t=${resetSeconds(quota)}`);
  return { 'RateLimit-Policy': policies.join(', '), RateLimit: states.join(', ') };
}
