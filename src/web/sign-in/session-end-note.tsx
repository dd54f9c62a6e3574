/** Why one must sign in again, on the sign-in page. */
import type { SessionEnd } from '../api/session-ended.js';
import { defineTexts, useTexts } from '../language/texts.js';
import { Button } from '../ui/button.js';

const texts = defineTexts('sign-in/session-end-note', {
  here: 'You are signed out.',
  other_tab: 'You signed out in another tab of this browser.',
  other_person: 'Somebody else signed in in another tab of this browser, so you are signed out here.',
  signed_out:
    'You were signed out: in another browser, or because your password was changed. What you wrote is still here when you sign in again.',
  expired: 'Your session has expired. What you wrote is still here when you sign in again.',
  member_removed: 'An administrator removed you from the organization. Ask them to invite you again.',
  goOn: 'Continue as the other person',
});

export interface SessionEndNoteProps {
  end: SessionEnd;
  onContinue: () => void;
}

export function SessionEndNote({ end, onContinue }: SessionEndNoteProps) {
  const t = useTexts(texts);
  return (
    <>
      <p role="status">{end && <span className="notice sign-in-note">{t[end]}</span>}</p>
      {end === 'other_person' && <Button onClick={onContinue}>{t.goOn}</Button>}
    </>
  );
}
