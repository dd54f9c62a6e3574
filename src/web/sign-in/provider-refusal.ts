/**
 * Why somebody came back from their provider without being signed in. The reason stands in the address, which anybody can
 * write, so it only chooses among our own sentences; each says how to go on.
 */
const tooLate = 'That took too long, or was begun in another window. Try again.';
const away = 'Your provider cannot be reached at the moment. Try again in a minute, or sign in in another way.';
const unvouched = 'Your provider does not vouch for your address. Confirm it there, then try again.';

const sentences: ReadonlyMap<string, string> = new Map([
  [
    'signup_disabled',
    'Nobody here has the address that your provider gave for you. Ask an administrator to invite that address, or try again with another account of yours.',
  ],
  ['MEMBER_REMOVED', 'You are no longer a member. Ask an administrator.'],
  [
    'LINKED_TO_ANOTHER',
    'Your address is used here with another account of your provider. Sign in with that one, or ask an administrator.',
  ],
  ['access_denied', 'You did not finish signing in with your provider. Try again, or sign in in another way.'],
  ['account_not_linked', unvouched],
  ['email_not_verified', unvouched],
  ['email_not_found', 'Your provider gave no address for you. Ask an administrator to let it do so.'],
  ['state_mismatch', tooLate],
  ['state_not_found', tooLate],
  ['state_invalid', tooLate],
  ['provider_unavailable', away],
  ['temporarily_unavailable', away],
  ['too_many_attempts', 'Too many attempts. Wait a few minutes, then try again.'],
]);

const otherwise =
  'Signing in with your provider did not work. Try again; if that does not help, tell an administrator.';

/** What to tell whoever comes back; null where the address says nothing of it. */
export function providerRefusal(): string | null {
  const reason = new URLSearchParams(location.search).get('error');
  return reason === null ? null : (sentences.get(reason) ?? otherwise);
}
