/** The colleagues in a menu, or a search for them where they are many. */
import Check from 'lucide-react/icons/check';
import TriangleAlert from 'lucide-react/icons/triangle-alert';
import User from 'lucide-react/icons/user';
import { useState } from 'react';
import { defineTexts, useTexts } from '../../language/texts.js';
import type { MenuFrame, MenuItem } from '../../ui/menu-item.js';
import { MenuPopup } from '../../ui/menu-popup.js';
import { type PersonMenuProps, useColleagues } from './colleagues.js';
import { PersonSearch } from './person-search.js';

const texts = defineTexts('threads/panel/person-menu-popup', { everyone: 'Everyone' });

/** With more colleagues there is a search. */
const fewColleagues = 20;

export default function PersonMenuPopup({ person, onChoose, ...frame }: PersonMenuProps & MenuFrame) {
  const t = useTexts(texts);
  const [search, setSearch] = useState('');
  const loaded = useColleagues(search);
  const [isLong, setLong] = useState(false);
  if (!isLong && (loaded?.people.length ?? 0) > fewColleagues) setLong(true);
  // The menu keeps the items that it opens with.
  if (!loaded) return null;
  const { people, problem } = loaded;
  if (isLong) return <PersonSearch {...frame} {...loaded} person={person} onChoose={onChoose} onSearch={setSearch} />;
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
