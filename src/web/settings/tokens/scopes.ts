/** The scopes of a token, in words. */
import type { Scope } from '../../api/types.js';

export const scopes: readonly { scope: Scope; name: string; words: string }[] = [
  {
    scope: 'ME_READ',
    name: 'me:read',
    words: 'See who you are, who the members are, and your tokens without their secrets',
  },
  { scope: 'THREADS_READ', name: 'threads:read', words: 'Read every thread that you can see, and follow answers' },
  { scope: 'THREADS_WRITE', name: 'threads:write', words: 'Start threads and send messages in your name' },
  { scope: 'FEEDBACK_WRITE', name: 'feedback:write', words: 'Rate answers in your name' },
  { scope: 'TOKENS_WRITE', name: 'tokens:write', words: 'Make tokens that can do no more than it, and end with it' },
];

export function nameOfScope(scope: Scope): string {
  return scopes.find((item) => item.scope === scope)?.name ?? scope;
}
