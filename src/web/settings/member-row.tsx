/** A member; for administrators, with what can be done about them. */
import { useState } from 'react';
import { change } from '../api/client.js';
import { changeRoleMutation, renewLinkMutation } from '../api/settings-documents.js';
import type { Member } from '../api/types.js';
import { Button } from '../ui/button.js';
import { cleanName } from '../ui/clean-name.js';
import { Problem } from '../ui/field.js';
import { Moment } from '../ui/moment.js';
import { type Invitation, SignInLink } from './sign-in-link.js';

export interface MemberRowProps {
  member: Member;
  isChangeable: boolean;
  onChanged: () => Promise<void>;
}

export function MemberRow({ member, isChangeable, onChanged }: MemberRowProps) {
  const [invitation, setInvitation] = useState<Invitation | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const { id, email, role } = member;
  const name = cleanName(member.name, email);
  const other = role === 'ADMIN' ? 'MEMBER' : 'ADMIN';
  const roleChange = other === 'ADMIN' ? 'Make administrator' : 'Make member';
  const changeRole = async () => {
    const outcome = await change(changeRoleMutation, { input: { id, role: other } });
    setProblem(outcome.ok ? null : outcome.message);
    await onChanged();
  };
  const renew = async () => {
    const outcome = await change(renewLinkMutation, { memberId: id });
    setProblem(outcome.ok ? null : outcome.message);
    if (outcome.ok) setInvitation({ email, ...outcome.value });
  };
  return (
    <li className="settings-member">
      <div>
        <strong>
          <bdi>{name}</bdi>
        </strong>
        <p className="field-hint">
          {email} · {role === 'ADMIN' ? 'administrator' : 'member'} · since <Moment at={member.createdAt} />
        </p>
      </div>
      {isChangeable && (
        <div className="settings-actions">
          <Button aria-label={`New link for ${name}`} onClick={() => void renew()}>
            New link
          </Button>
          <Button aria-label={`${roleChange}: ${name}`} onClick={() => void changeRole()}>
            {roleChange}
          </Button>
        </div>
      )}
      <Problem message={problem} />
      {invitation && <SignInLink invitation={invitation} />}
    </li>
  );
}
