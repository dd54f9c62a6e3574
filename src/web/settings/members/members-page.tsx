/** The members of the organization, with a search where they are many. Administrators invite and remove members and change their roles. */
import { useCallback, useEffect, useState } from 'react';
import { maximumMembers } from '../../../contract.js';
import { type Outcome, runQuery } from '../../api/client.js';
import { membersQuery } from '../../api/member-documents.js';
import type { Identity, Member } from '../../api/types.js';
import { defineTexts, useTexts, withValues } from '../../language/texts.js';
import { organizationName } from '../../ui/display-name.js';
import { Field } from '../../ui/field.js';
import { Problem } from '../../ui/problem.js';
import { useList } from '../use-list.js';
import { InviteForm } from './invite-form.js';
import { MemberRow } from './member-row.js';

const texts = defineTexts('settings/members/members-page', {
  invite: 'Invite a colleague',
  title: withValues('Members of {organization}'),
  ofAdministrator: 'Only another administrator can change your role or remove you.',
  ofMember: 'Administrators can invite others.',
  search: 'Search by name or e-mail address',
  first: withValues('The first {number} are shown. Search for others.'),
  nobody: 'Nobody found.',
});

/** With more members there is a search. */
const fewMembers = 20;
const pauseMs = 250;

export function MembersPage({ me }: { me: Identity }) {
  const t = useTexts(texts);
  const { written, setWritten, members, isLong } = useMembers();
  const isAdministrator = me.role === 'ADMIN';
  const count = members.items?.length;
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
          <Field
            type="search"
            label={t.search}
            value={written}
            onChange={({ target }) => setWritten(target.value)}
            {...(count === maximumMembers && { hint: t.first({ number: maximumMembers }) })}
          />
        )}
        <p role="status">{count === 0 && t.nobody}</p>
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

/** The members who are searched for, all of them at first. */
function useMembers() {
  const [written, setWritten] = useState('');
  const [search, setSearch] = useState('');
  const members = useList(useCallback(() => fetchMembers(search), [search]));
  const [isLong, setLong] = useState(false);
  if (!isLong && (members.items?.length ?? 0) > fewMembers) setLong(true);
  useEffect(() => {
    const timer = setTimeout(() => setSearch(written.trim()), pauseMs);
    return () => clearTimeout(timer);
  }, [written]);
  return { written, setWritten, members, isLong };
}

async function fetchMembers(search: string): Promise<Outcome<Member[]>> {
  const outcome = await runQuery(membersQuery, { search });
  return outcome.ok ? { ok: true, value: outcome.value.members } : outcome;
}
