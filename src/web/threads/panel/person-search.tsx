/** A search for one of many colleagues. It is in a dialog, since a menu can have no field. */
import Check from 'lucide-react/icons/check';
import User from 'lucide-react/icons/user';
import { useEffect, useState } from 'react';
import { defineTexts, useTexts, withValues } from '../../language/texts.js';
import { Dialog } from '../../ui/dialog.js';
import { Field } from '../../ui/field.js';
import type { MenuFrame } from '../../ui/menu-item.js';
import { Problem } from '../../ui/problem.js';
import type { Person } from '../store/thread-filter.js';
import type { Colleagues, PersonMenuProps } from './colleagues.js';
import './person-search.css';

const texts = defineTexts('threads/panel/person-search', {
  everyone: 'Everyone',
  search: 'Search by name or e-mail address',
  first: withValues('The first {number} are shown. Search for others.'),
  nobody: 'Nobody found.',
});

const shownPeople = 20;
const pauseMs = 250;

export interface PersonSearchProps extends PersonMenuProps, MenuFrame, Colleagues {
  onSearch: (search: string) => void;
}

export function PersonSearch({ person, onChoose, label, onClose, people, problem, onSearch }: PersonSearchProps) {
  const t = useTexts(texts);
  const [written, setWritten] = useState('');
  useEffect(() => {
    const timer = setTimeout(() => onSearch(written.trim()), pauseMs);
    return () => clearTimeout(timer);
  }, [written, onSearch]);
  const option = (words: string, chosen: Person | null) => {
    const isChosen = person?.id === chosen?.id;
    const Icon = isChosen ? Check : User;
    const choose = () => {
      onClose();
      onChoose(chosen);
    };
    return (
      <li key={chosen?.id ?? 'everyone'}>
        <button type="button" className="menu-item" aria-pressed={isChosen} onClick={choose}>
          <Icon />
          <bdi>{words}</bdi>
        </button>
      </li>
    );
  };
  return (
    <Dialog title={label} onClose={onClose} isDismissible>
      <Field type="search" label={t.search} value={written} onChange={({ target }) => setWritten(target.value)} />
      <Problem message={problem} />
      <div className="person-results">
        <p role="status" className="field-hint">
          {people.length === 0 && !problem && t.nobody}
          {people.length > shownPeople && t.first({ number: shownPeople })}
        </p>
        <ul>
          {option(t.everyone, null)}
          {people.slice(0, shownPeople).map(({ id, name, label: words }) => option(words, { id, name }))}
        </ul>
      </div>
    </Dialog>
  );
}
