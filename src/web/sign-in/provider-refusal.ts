/**
 * Explains why a sign-in with a provider failed. The reason is read from the address, which anyone can write, so it only
 * selects one of these messages.
 */
import { defineTexts } from '../language/texts.js';

const texts = defineTexts('sign-in/provider-refusal', {
  uninvited:
    'No account here has the e-mail address that your sign-in provider sent. Ask an administrator to invite that address, or try again with another account.',
  removed: 'You are no longer a member. Ask an administrator to invite you again.',
  linkedToAnother:
    'Your e-mail address is linked to another account at your sign-in provider. Sign in with that account, or ask an administrator.',
  unfinished: 'You did not finish signing in with your provider. Try again, or sign in another way.',
  unvouched: 'Your sign-in provider has not verified your e-mail address. Verify it there, then try again.',
  noAddress: 'Your sign-in provider did not send your e-mail address. Ask an administrator to allow it.',
  tooLate: 'Signing in took too long or was started in another window. Try again.',
  away: 'Your sign-in provider cannot be reached. Try again in a minute, or sign in another way.',
  tooMany: 'Too many attempts. Wait a few minutes, then try again.',
  otherwise: 'Signing in with your provider failed. Try again. If it keeps failing, ask an administrator.',
});

const sentences = new Map([
  ['signup_disabled', 'uninvited'],
  ['MEMBER_REMOVED', 'removed'],
  ['LINKED_TO_ANOTHER', 'linkedToAnother'],
  ['access_denied', 'unfinished'],
  ['account_not_linked', 'unvouched'],
  ['email_not_verified', 'unvouched'],
  ['email_not_found', 'noAddress'],
  ['state_mismatch', 'tooLate'],
  ['state_not_found', 'tooLate'],
  ['state_invalid', 'tooLate'],
  ['provider_unavailable', 'away'],
  ['temporarily_unavailable', 'away'],
  ['too_many_attempts', 'tooMany'],
] as const);

/** The message for a user whose sign-in failed; null if the address has no error. */
export function providerRefusal(): string | null {
  const reason = new URLSearchParams(location.search).get('error');
  if (reason === null) return null;
  const known: ReadonlyMap<string, keyof ReturnType<typeof texts.get>> = sentences;
  return texts.get()[known.get(reason) ?? 'otherwise'];
}
