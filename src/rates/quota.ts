/** What a limit says of a request, and how a response tells it (draft-ietf-httpapi-ratelimit-headers). */
export interface RatePolicy {
  name: PolicyName;
  limit: number;
  /** Length of the window. */
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
  /** Until the window ends. */
  resetMs: number;
}

/** Whole seconds, of which the last has ended when the window has. */
export function resetSeconds({ resetMs }: Quota): number {
  return Math.max(1, Math.ceil(resetMs / 1000));
}

/** The headers that tell of all limits that were looked at; none where there was none. */
export function quotaHeaders(quotas: readonly Quota[]): Record<string, string> {
  if (quotas.length === 0) return {};
  const policies = quotas.map(({ policy: { name, limit, seconds } }) => `"${name}";q=${limit};w=${seconds}`);
  const states = quotas.map((quota) => `"${quota.policy.name}";r=${quota.remaining};t=${resetSeconds(quota)}`);
  return { 'RateLimit-Policy': policies.join(', '), RateLimit: states.join(', ') };
}
