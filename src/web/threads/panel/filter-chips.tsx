/** The colleague and the tag whose threads alone the list shows. A press on one shows the others again. */
import X from 'lucide-react/icons/x';
import type { ReactNode } from 'react';
import { cleanText } from '../../ui/display-name.js';
import type { Person } from '../store/thread-filter.js';
import './filter-chips.css';

export interface FilterChipsProps {
  person: Person | null;
  tag: string | null;
  onPerson: (person: null) => void;
  onTag: (tag: null) => void;
}

export default function FilterChips({ person, tag, onPerson, onTag }: FilterChipsProps) {
  return (
    <div className="filter-chips">
      {person && (
        <Chip remove="Show the threads of everyone" onRemove={() => onPerson(null)}>
          Threads of <bdi>{person.name}</bdi>
        </Chip>
      )}
      {tag !== null && (
        <Chip remove="Show threads with any tags or none" onRemove={() => onTag(null)}>
          Tagged <bdi>{cleanText(tag)}</bdi>
        </Chip>
      )}
    </div>
  );
}

function Chip({ remove, onRemove, children }: { remove: string; onRemove: () => void; children: ReactNode }) {
  return (
    <button type="button" className="filter-chip" onClick={onRemove} title={remove}>
      <span>{children}</span>
      <X />
      <span className="visually-hidden">{remove}</span>
    </button>
  );
}
