/** Removes a member after a confirmation that explains the consequences. */
import { useState } from 'react';
import { runMutation } from '../../api/client.js';
import { removeMemberMutation } from '../../api/member-documents.js';
import { defineTexts, useTexts, withValues } from '../../language/texts.js';
import { RemoveButton } from '../../ui/common-buttons.js';
import { Confirmation } from '../../ui/confirmation.js';

const texts = defineTexts('settings/members/member-removal', {
  removed: withValues('{name} is no longer a member.'),
  removeName: withValues('Remove {name}'),
  question: withValues('Remove {name}?'),
  confirm: 'Remove member',
  access:
    'They are signed out everywhere and their API tokens are revoked. Open pages and streams end within a minute.',
  signIn: 'Their password and their sign-in links stop working.',
  threads: 'Their threads and messages stay, visible to the same people as before.',
  back: 'To let them back in, invite the same address again.',
});

export interface MemberRemovalProps {
  id: string;
  name: string;
  /** Takes a notice that says what happened. */
  onRemoved: (words: string) => Promise<void>;
}

export function MemberRemoval({ id, name, onRemoved }: MemberRemovalProps) {
  const t = useTexts(texts);
  const [isAsking, setAsking] = useState(false);
  const remove = async () => {
    const outcome = await runMutation(removeMemberMutation, { id });
    // Another administrator may have removed them first.
    if (!outcome.ok && outcome.code !== 'NOT_FOUND') return outcome.message;
    setAsking(false);
    await onRemoved(t.removed({ name }));
    return null;
  };
  return (
    <>
      <RemoveButton variant="danger" aria-label={t.removeName({ name })} onClick={() => setAsking(true)} />
      {isAsking && (
        <Confirmation title={t.question({ name })} confirm={t.confirm} run={remove} onClose={() => setAsking(false)}>
          <ul className="settings-consequences">
            <li>{t.access}</li>
            <li>{t.signIn}</li>
            <li>{t.threads}</li>
          </ul>
          <p className="field-hint">{t.back}</p>
        </Confirmation>
      )}
    </>
  );
}
