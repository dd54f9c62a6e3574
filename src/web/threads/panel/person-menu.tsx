/** Chooses the colleague whose threads alone the list shows. Whatever names them is loaded when it is used. */
import User from 'lucide-react/icons/user';
import { defineTexts, useTexts } from '../../language/texts.js';
import { useViewer } from '../../sign-in/session.js';
import { Menu } from '../../ui/menu.js';
import { loadOnApproach } from '../../ui/state/late-component.js';
import type { Person } from '../store/thread-filter.js';

const texts = defineTexts('threads/panel/person-menu', { filter: 'Filter by person', everyone: 'Everyone' });

const { Component: PersonSearch, approaching } = loadOnApproach(() => import('../../people/person-search.js'));

export interface PersonMenuProps {
  person: Person | null;
  onChoose: (person: Person | null) => void;
}

export function PersonMenu({ person, onChoose }: PersonMenuProps) {
  const t = useTexts(texts);
  const me = useViewer();
  const everyone = { id: 'everyone', name: t.everyone };
  return (
    <Menu label={t.filter} icon={User} small popup="dialog" approaching={approaching}>
      {({ onClose }) => (
        <PersonSearch
          title={t.filter}
          others={[everyone]}
          chosenId={(person ?? everyone).id}
          exceptId={me.sub}
          onChoose={(choice) => onChoose(choice.id === everyone.id ? null : choice)}
          onClose={onClose}
        />
      )}
    </Menu>
  );
}
