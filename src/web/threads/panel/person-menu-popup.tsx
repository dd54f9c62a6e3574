/** The colleagues in a menu. The viewer is not among them: their threads are the view "Mine". */
import Check from 'lucide-react/icons/check';
import TriangleAlert from 'lucide-react/icons/triangle-alert';
import User from 'lucide-react/icons/user';
import { useEffect, useState } from 'react';
import { runQuery } from '../../api/client.js';
import { membersQuery } from '../../api/member-documents.js';
import { defineTexts, useTexts } from '../../language/texts.js';
import { useViewer } from '../../sign-in/session.js';
import { displayName } from '../../ui/display-name.js';
import type { MenuFrame, MenuItem } from '../../ui/menu-item.js';
import { MenuPopup } from '../../ui/menu-popup.js';
import type { Person } from '../store/thread-filter.js';

const texts = defineTexts('threads/panel/person-menu-popup', { everyone: 'Everyone' });

export interface PersonMenuProps {
  person: Person | null;
  onChoose: (person: Person | null) => void;
}

export default function PersonMenuPopup({ person, onChoose, ...frame }: PersonMenuProps & MenuFrame) {
  const t = useTexts(texts);
  const loaded = useColleagues();
  if (!loaded) return null;
  const { people, problem } = loaded;
  const items: MenuItem[] = [
    { id: 'everyone', icon: person ? User : Check, label: t.everyone, run: () => onChoose(null) },
    ...people.map((colleague) => ({
      id: colleague.id,
      icon: person?.id === colleague.id ? Check : User,
      label: colleague.label,
      run: () => onChoose({ id: colleague.id, name: colleague.name }),
    })),
    ...(problem ? [{ id: 'problem', icon: TriangleAlert, label: problem, run: () => undefined }] : []),
  ];
  return <MenuPopup {...frame} items={items} />;
}

interface Colleague extends Person {
  /** The name, with the address where several people have it. */
  label: string;
}

interface Colleagues {
  /** In the order of their names. */
  people: readonly Colleague[];
  problem: string | null;
}

/** Null until they are loaded: the menu keeps the items that it opens with. */
function useColleagues(): Colleagues | null {
  const me = useViewer();
  const [loaded, setLoaded] = useState<Colleagues | null>(null);
  useEffect(() => {
    let isGone = false;
    void runQuery(membersQuery, {}).then((outcome) => {
      if (isGone) return;
      if (!outcome.ok) return setLoaded({ people: [], problem: outcome.message });
      const others = outcome.value.members.filter(({ id }) => id !== me.sub);
      setLoaded({ people: withLabels(others), problem: null });
    });
    return () => {
      isGone = true;
    };
  }, [me.sub]);
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
