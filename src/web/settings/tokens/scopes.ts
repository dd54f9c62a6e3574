/** The scopes of a token with their descriptions. */
import type { Scope } from '../../api/types.js';
import { defineTexts } from '../../language/texts.js';

export const scopeTexts = defineTexts('settings/tokens/scopes', {
  ME_READ: 'Read your profile, the list of members, and your tokens (without their secrets)',
  THREADS_READ: 'Read all threads that you can see, and stream answers',
  THREADS_WRITE: 'Start, change and delete threads, and send messages on your behalf',
  FEEDBACK_WRITE: 'Rate answers on your behalf',
  TOKENS_WRITE: 'Create tokens that have no more permissions than this one and end with it',
});

export const scopes = ['ME_READ', 'THREADS_READ', 'THREADS_WRITE', 'FEEDBACK_WRITE', 'TOKENS_WRITE'] as const;

/** As both APIs name it: `me:read`. */
export function nameOfScope(scope: Scope): string {
  return scope.toLowerCase().replace('_', ':');
}
