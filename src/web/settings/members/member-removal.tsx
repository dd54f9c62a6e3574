/** Removes a member after a confirmation that explains the consequences. */
import { useState } from 'react';
import { runMutation } from '../../api/client.js';
import { removeMemberMutation } from '../../api/member-documents.js';
import { Button } from '../../ui/button.js';
import { Confirmation } from '../confirmation.js';

export interface MemberRemovalProps {
  id: string;
  name: string;
  /** Takes a notice that says what happened. */
  onRemoved: (words: string) => Promise<void>;
}

export function MemberRemoval({ id, name, onRemoved }: MemberRemovalProps) {
  const [isAsking, setAsking] = useState(false);
  const remove = async () => {
    const outcome = await runMutation(removeMemberMutation, { id });
    // Another administrator may have removed them first.
    if (!outcome.ok && outcome.code !== 'NOT_FOUND') return outcome.message;
    setAsking(false);
    await onRemoved(`${name} is no longer a member.`);
    return null;
  };
  return (
    <>
      <Button variant="danger" aria-label={`Remove ${name}`} onClick={() => setAsking(true)}>
        Remove
      </Button>
      {isAsking && (
        <Confirmation
          title={`Remove ${name}?`}
          keep="Cancel"
          confirm="Remove member"
          run={remove}
          onClose={() => setAsking(false)}
        >
          <ul className="settings-consequences">
            <li>
              They are signed out everywhere and their API tokens are revoked. Open pages and streams end within a
              minute.
            </li>
            <li>Their password and their sign-in links stop working.</li>
            <li>Their threads and messages stay, visible to the same people as before.</li>
          </ul>
          <p className="field-hint">To let them back in, invite the same address again.</p>
        </Confirmation>
      )}
    </>
  );
}
