/** The scopes of a token with their descriptions. */
import type { Scope } from '../../api/types.js';

export const scopes: readonly { scope: Scope; name: string; words: string }[] = [
  {
    scope: 'ME_READ',
    name: 'me:read',
    words: 'Read your profile, the list of members, and your tokens (without their secrets)',
  },
  { scope: 'THREADS_READ', name: 'threads:read', words: 'Read all threads that you can see, and stream answers' },
  { scope: 'THREADS_WRITE', name: 'threads:write', words: 'Start threads and send messages on your behalf' },
  { scope: 'FEEDBACK_WRITE', name: 'feedback:write', words: 'Rate answers on your behalf' },
  {
    scope: 'TOKENS_WRITE',
    name: 'tokens:write',
    words: 'Create tokens that have no more permissions than this one and end with it',
  },
];

export function nameOfScope(scope: Scope): string {
  return scopes.find((item) => item.scope === scope)?.name ?? scope;
}
