/** A member, with the actions of an administrator. */
import { useState } from 'react';
import { runMutation } from '../../api/client.js';
import { changeRoleMutation, renewLinkMutation } from '../../api/member-documents.js';
import type { Member } from '../../api/types.js';
import { Button } from '../../ui/button.js';
import { displayName } from '../../ui/display-name.js';
import { Problem } from '../../ui/field.js';
import { useOnce } from '../../ui/state/use-once.js';
import { Timestamp } from '../../ui/timestamp.js';
import type { List } from '../use-list.js';
import { MemberRemoval } from './member-removal.js';
import { type Invitation, SignInLink } from './sign-in-link.js';

export interface MemberRowProps {
  member: Member;
  isViewer: boolean;
  isChangeable: boolean;
  members: List<Member>;
}

export function MemberRow({ member, isViewer, isChangeable, members }: MemberRowProps) {
  const [invitation, setInvitation] = useState<Invitation | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const { isRunning, once } = useOnce();
  const { id, email, role } = member;
  const name = displayName(member.name, email);
  const other = role === 'ADMIN' ? 'MEMBER' : 'ADMIN';
  const roleChange = other === 'ADMIN' ? 'Make admin' : 'Make member';
  const changeRole = async () => {
    const outcome = await runMutation(changeRoleMutation, { input: { id, role: other } });
    setProblem(outcome.ok ? null : outcome.message);
    if (outcome.ok) await members.changed(`${name} is now ${other === 'ADMIN' ? 'an administrator' : 'a member'}.`);
    else await members.load();
  };
  const renew = async () => {
    const outcome = await runMutation(renewLinkMutation, { memberId: id });
    setProblem(outcome.ok ? null : outcome.message);
    if (outcome.ok) setInvitation({ email, ...outcome.value });
  };
  return (
    <li className="settings-row">
      <div>
        <strong>
          <bdi>{name}</bdi>
        </strong>
        {isViewer && <span className="settings-badge">You</span>}
        <p className="field-hint">
          {name !== email && `${email} · `}
          {role === 'ADMIN' ? 'administrator' : 'member'} · since <Timestamp at={member.createdAt} />
        </p>
      </div>
      {isChangeable && (
        <div className="settings-actions">
          <Button aria-label={`New link for ${name}`} aria-disabled={isRunning} onClick={() => once(renew)}>
            New link
          </Button>
          <Button aria-label={`${roleChange}: ${name}`} aria-disabled={isRunning} onClick={() => once(changeRole)}>
            {roleChange}
          </Button>
          <MemberRemoval id={id} name={name} onRemoved={members.removed} />
        </div>
      )}
      <Problem message={problem} />
      {invitation && <SignInLink invitation={invitation} />}
    </li>
  );
}
