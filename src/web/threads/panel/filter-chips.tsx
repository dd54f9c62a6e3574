/** The colleague and the tag whose threads alone the list shows. A press on one shows the others again. */
import X from 'lucide-react/icons/x';
import type { ReactNode } from 'react';
import { Sentence } from '../../language/sentence.js';
import { defineTexts, useTexts } from '../../language/texts.js';
import { cleanText } from '../../ui/display-name.js';
import type { Person } from '../store/thread-filter.js';
import './filter-chips.css';

const texts = defineTexts('threads/panel/filter-chips', {
  everyone: 'Show the threads of everyone',
  of: 'Threads of {person}',
  anyTag: 'Show threads with any tags or none',
  tagged: 'Tagged {tag}',
});

export interface FilterChipsProps {
  person: Person | null;
  tag: string | null;
  onPerson: (person: null) => void;
  onTag: (tag: null) => void;
}

export default function FilterChips({ person, tag, onPerson, onTag }: FilterChipsProps) {
  const t = useTexts(texts);
  return (
    <div className="filter-chips">
      {person && (
        <Chip remove={t.everyone} onRemove={() => onPerson(null)}>
          <Sentence text={t.of} parts={{ person: <bdi>{person.name}</bdi> }} />
        </Chip>
      )}
      {tag !== null && (
        <Chip remove={t.anyTag} onRemove={() => onTag(null)}>
          <Sentence text={t.tagged} parts={{ tag: <bdi>{cleanText(tag)}</bdi> }} />
        </Chip>
      )}
    </div>
  );
}

function Chip({ remove, onRemove, children }: { remove: string; onRemove: () => void; children: ReactNode }) {
  return (
    <button type="button" className="filter-chip" onClick={onRemove} title={remove}>
      <span className="one-line">{children}</span>
      <X />
      <span className="visually-hidden">{remove}</span>
    </button>
  );
}
