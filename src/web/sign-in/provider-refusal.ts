/**
 * Explains why a sign-in with a provider failed. The reason is read from the address, which anyone can write, so it only
 * selects one of these messages.
 */
const tooLate = 'Signing in took too long or was started in another window. Try again.';
const away = 'Your sign-in provider cannot be reached. Try again in a minute, or sign in another way.';
const unvouched = 'Your sign-in provider has not verified your e-mail address. Verify it there, then try again.';

const sentences: ReadonlyMap<string, string> = new Map([
  [
    'signup_disabled',
    'No account here has the e-mail address that your sign-in provider sent. Ask an administrator to invite that address, or try again with another account.',
  ],
  ['MEMBER_REMOVED', 'You are no longer a member. Ask an administrator to invite you again.'],
  [
    'LINKED_TO_ANOTHER',
    'Your e-mail address is linked to another account at your sign-in provider. Sign in with that account, or ask an administrator.',
  ],
  ['access_denied', 'You did not finish signing in with your provider. Try again, or sign in another way.'],
  ['account_not_linked', unvouched],
  ['email_not_verified', unvouched],
  ['email_not_found', 'Your sign-in provider did not send your e-mail address. Ask an administrator to allow it.'],
  ['state_mismatch', tooLate],
  ['state_not_found', tooLate],
  ['state_invalid', tooLate],
  ['provider_unavailable', away],
  ['temporarily_unavailable', away],
  ['too_many_attempts', 'Too many attempts. Wait a few minutes, then try again.'],
]);

const otherwise = 'Signing in with your provider failed. Try again. If it keeps failing, ask an administrator.';

/** The message for a user whose sign-in failed; null if the address has no error. */
export function providerRefusal(): string | null {
  const reason = new URLSearchParams(location.search).get('error');
  return reason === null ? null : (sentences.get(reason) ?? otherwise);
}
