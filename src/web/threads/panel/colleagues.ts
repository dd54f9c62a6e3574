/** The colleagues of the viewer, whose own threads are the view "Mine". */
import { useEffect, useState } from 'react';
import { runQuery } from '../../api/client.js';
import { membersQuery } from '../../api/member-documents.js';
import { useViewer } from '../../sign-in/session.js';
import { displayName } from '../../ui/display-name.js';
import type { Person } from '../store/thread-filter.js';

export interface PersonMenuProps {
  person: Person | null;
  onChoose: (person: Person | null) => void;
}

export interface Colleague extends Person {
  /** The name, with the address where several people have it. */
  label: string;
}

export interface Colleagues {
  /** In the order of their names. */
  people: readonly Colleague[];
  problem: string | null;
}

/** Those whose name or address has what is searched for. Null until the first are loaded. */
export function useColleagues(search: string): Colleagues | null {
  const me = useViewer();
  const [loaded, setLoaded] = useState<Colleagues | null>(null);
  useEffect(() => {
    let isGone = false;
    void runQuery(membersQuery, { search }).then((outcome) => {
      if (isGone) return;
      if (!outcome.ok) return setLoaded({ people: [], problem: outcome.message });
      const others = outcome.value.members.filter(({ id }) => id !== me.sub);
      setLoaded({ people: withLabels(others), problem: null });
    });
    return () => {
      isGone = true;
    };
  }, [me.sub, search]);
  return loaded;
}

function withLabels(members: readonly { id: string; name: string | null; email: string }[]): Colleague[] {
  const people = members.map(({ id, name, email }) => ({ id, email, name: displayName(name, email) }));
  const bearers = new Map<string, number>();
  for (const { name } of people) bearers.set(name, (bearers.get(name) ?? 0) + 1);
  return people
    .map(({ id, name, email }) => ({ id, name, label: bearers.get(name) === 1 ? name : `${name} (${email})` }))
    .sort((a, b) => a.label.localeCompare(b.label));
}
