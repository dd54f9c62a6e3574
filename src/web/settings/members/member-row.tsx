/** A member, with the actions of an administrator. */
import { useState } from 'react';
import { runMutation } from '../../api/client.js';
import { changeRoleMutation, renewLinkMutation } from '../../api/member-documents.js';
import type { Member } from '../../api/types.js';
import { Sentence } from '../../language/sentence.js';
import { defineTexts, useTexts, withValues } from '../../language/texts.js';
import { Button } from '../../ui/button.js';
import { displayName } from '../../ui/display-name.js';
import { Problem } from '../../ui/problem.js';
import type { List } from '../../ui/state/use-list.js';
import { useOnce } from '../../ui/state/use-once.js';
import { useProblem } from '../../ui/state/use-problem.js';
import { Timestamp } from '../../ui/timestamp.js';
import { MemberRemoval } from './member-removal.js';
import { type Invitation, SignInLink } from './sign-in-link.js';

const texts = defineTexts('settings/members/member-row', {
  makeAdmin: 'Make admin',
  makeMember: 'Make member',
  nowAdmin: withValues('{name} is now an administrator.'),
  nowMember: withValues('{name} is now a member.'),
  you: 'You',
  adminSince: 'administrator · since {time}',
  memberSince: 'member · since {time}',
  newLink: 'New link',
  newLinkFor: withValues('New link for {name}'),
  actionFor: withValues('{action}: {name}'),
});

export interface MemberRowProps {
  member: Member;
  isViewer: boolean;
  isChangeable: boolean;
  members: List<Member>;
}

export function MemberRow({ member, isViewer, isChangeable, members }: MemberRowProps) {
  const t = useTexts(texts);
  const [invitation, setInvitation] = useState<Invitation | null>(null);
  const [problem, setProblem] = useProblem();
  const { isRunning, once } = useOnce();
  const { id, email, role } = member;
  const name = displayName(member.name, email);
  const other = role === 'ADMIN' ? 'MEMBER' : 'ADMIN';
  const roleChange = other === 'ADMIN' ? t.makeAdmin : t.makeMember;
  const changeRole = async () => {
    const outcome = await runMutation(changeRoleMutation, { input: { id, role: other } });
    setProblem(outcome.ok ? null : outcome.message);
    if (outcome.ok) await members.changed((other === 'ADMIN' ? t.nowAdmin : t.nowMember)({ name }));
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
        {isViewer && <span className="settings-badge">{t.you}</span>}
        {/* Another element, as in `ReadersLine`. */}
        <p key={role} className="field-hint">
          {name !== email && `${email} · `}
          <Sentence
            text={role === 'ADMIN' ? t.adminSince : t.memberSince}
            parts={{ time: <Timestamp at={member.createdAt} /> }}
          />
        </p>
      </div>
      {isChangeable && (
        <div className="buttons">
          <Button aria-label={t.newLinkFor({ name })} aria-disabled={isRunning} onClick={() => once(renew)}>
            {t.newLink}
          </Button>
          <Button
            aria-label={t.actionFor({ action: roleChange, name })}
            aria-disabled={isRunning}
            onClick={() => once(changeRole)}
          >
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
