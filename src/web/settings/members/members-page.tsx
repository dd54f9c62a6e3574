/** The members of the organization, with a search where they are many. Administrators invite and remove members and change their roles. */
import { useState } from 'react';
import { maximumMembers } from '../../../contract.js';
import type { Identity } from '../../api/types.js';
import { defineTexts, useTexts, withValues } from '../../language/texts.js';
import { SearchField } from '../../people/search-field.js';
import { useMembers } from '../../people/use-members.js';
import { organizationName } from '../../ui/display-name.js';
import { Problem } from '../../ui/problem.js';
import { InviteForm } from './invite-form.js';
import { MemberRow } from './member-row.js';

const texts = defineTexts('settings/members/members-page', {
  invite: 'Invite a colleague',
  title: withValues('Members of {organization}'),
  ofAdministrator: 'Only another administrator can change your role or remove you.',
  ofMember: 'Administrators can invite others.',
});

/** With more members there is a search. */
const fewMembers = 20;

export function MembersPage({ me }: { me: Identity }) {
  const t = useTexts(texts);
  const { written, setWritten, members } = useMembers(maximumMembers);
  const isAdministrator = me.role === 'ADMIN';
  const count = members.items?.length;
  const [isLong, setLong] = useState(false);
  if (!isLong && (count ?? 0) > fewMembers) setLong(true);
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
        {isLong && (
          <SearchField written={written} onWrite={setWritten} shown={count} hasMore={count === maximumMembers} />
        )}
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
