/** The members of the organization. Administrators invite colleagues here. */
import { useCallback, useEffect, useState } from 'react';
import { ask } from '../api/client.js';
import { membersQuery } from '../api/settings-documents.js';
import type { Identity, Member } from '../api/types.js';
import { Problem } from '../ui/field.js';
import { InviteForm } from './invite-form.js';
import { MemberRow } from './member-row.js';

export function MembersPage({ me }: { me: Identity }) {
  const [members, setMembers] = useState<Member[] | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const load = useCallback(async () => {
    const outcome = await ask(membersQuery, {});
    if (outcome.ok) setMembers(outcome.value.members);
    setProblem(outcome.ok ? null : outcome.message);
  }, []);
  useEffect(() => void load(), [load]);
  return (
    <>
      {me.role === 'ADMIN' && (
        <section>
          <h3>Invite a colleague</h3>
          <InviteForm onInvited={load} />
        </section>
      )}
      <section>
        <h3>Members of {me.organizationSlug}</h3>
        {me.role !== 'ADMIN' && <p className="field-hint">Administrators can invite others.</p>}
        <Problem message={problem} />
        <ul className="settings-list">
          {members?.map((member) => (
            <MemberRow
              key={member.id}
              member={member}
              isChangeable={me.role === 'ADMIN' && member.id !== me.sub}
              onChanged={load}
            />
          ))}
        </ul>
      </section>
    </>
  );
}
