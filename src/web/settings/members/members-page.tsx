/** The members of the organization. Administrators invite and remove members and change their roles. */
import { type Outcome, runQuery } from '../../api/client.js';
import { membersQuery } from '../../api/member-documents.js';
import type { Identity, Member } from '../../api/types.js';
import { defineTexts, useTexts, withValues } from '../../language/texts.js';
import { organizationName } from '../../ui/display-name.js';
import { Problem } from '../../ui/problem.js';
import { useList } from '../use-list.js';
import { InviteForm } from './invite-form.js';
import { MemberRow } from './member-row.js';

const texts = defineTexts('settings/members/members-page', {
  invite: 'Invite a colleague',
  title: withValues('Members of {organization}'),
  ofAdministrator: 'Only another administrator can change your role or remove you.',
  ofMember: 'Administrators can invite others.',
});

export function MembersPage({ me }: { me: Identity }) {
  const t = useTexts(texts);
  const members = useList(fetchMembers);
  const isAdministrator = me.role === 'ADMIN';
  return (
    <>
      {isAdministrator && (
        <section>
          <h2>{t.invite}</h2>
          <InviteForm onInvited={members.load} />
        </section>
      )}
      <section>
        <h2 ref={members.heading} tabIndex={-1}>
          {t.title({ organization: organizationName(me) })}
        </h2>
        <p className="field-hint">{isAdministrator ? t.ofAdministrator : t.ofMember}</p>
        <Problem message={members.problem} />
        <p role="status">{members.notice && <span className="notice">{members.notice}</span>}</p>
        <ul className="settings-list">
          {members.items?.map((member) => (
            <MemberRow
              key={member.id}
              member={member}
              isViewer={member.id === me.sub}
              isChangeable={isAdministrator && member.id !== me.sub}
              members={members}
            />
          ))}
        </ul>
      </section>
    </>
  );
}

async function fetchMembers(): Promise<Outcome<Member[]>> {
  const outcome = await runQuery(membersQuery, {});
  return outcome.ok ? { ok: true, value: outcome.value.members } : outcome;
}
