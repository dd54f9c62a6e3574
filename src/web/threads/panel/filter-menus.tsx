/** Choose the colleague and the tag whose threads alone the list shows. Whatever names them is loaded when it is used. */
import Tag from 'lucide-react/icons/tag';
import User from 'lucide-react/icons/user';
import { defineTexts, useTexts } from '../../language/texts.js';
import { useViewer } from '../../sign-in/session.js';
import { Menu } from '../../ui/menu.js';
import { loadOnApproach } from '../../ui/state/late-component.js';
import type { Person } from '../store/thread-filter.js';
import type { TagMenuProps } from './tag-menu-popup.js';

const texts = defineTexts('threads/panel/filter-menus', {
  byPerson: 'Filter by person',
  everyone: 'Everyone',
  byTag: 'Filter by tag',
});

const people = loadOnApproach(() => import('../../people/person-search.js'));
const tags = loadOnApproach(() => import('./tag-menu-popup.js'));

export interface PersonMenuProps {
  person: Person | null;
  onChoose: (person: Person | null) => void;
}

export function PersonMenu({ person, onChoose }: PersonMenuProps) {
  const t = useTexts(texts);
  const me = useViewer();
  const everyone = { id: 'everyone', name: t.everyone };
  return (
    <Menu label={t.byPerson} icon={User} small popup="dialog" approaching={people.approaching}>
      {({ onClose }) => (
        <people.Component
          title={t.byPerson}
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

export function TagMenu(props: TagMenuProps) {
  return (
    <Menu label={useTexts(texts).byTag} icon={Tag} small approaching={tags.approaching}>
      {(frame) => <tags.Component {...frame} {...props} />}
    </Menu>
  );
}
