/** The field of a search for people, which says when nobody is found and when only the first are shown. */
import { defineTexts, useTexts, withValues } from '../language/texts.js';
import { Field } from '../ui/field.js';

const texts = defineTexts('people/search-field', {
  search: 'Search by name or e-mail address',
  first: withValues('The first {number} are shown. Search for others.'),
  nobody: 'Nobody found.',
});

export interface SearchFieldProps {
  written: string;
  onWrite: (written: string) => void;
  /** How many people are shown; undefined until they are loaded. */
  shown: number | undefined;
  /** Whether there are more of them. */
  hasMore: boolean;
}

export function SearchField({ written, onWrite, shown, hasMore }: SearchFieldProps) {
  const t = useTexts(texts);
  return (
    <>
      <Field type="search" label={t.search} value={written} onChange={({ target }) => onWrite(target.value)} />
      <p role="status" className="field-hint">
        {shown === 0 ? t.nobody : hasMore && t.first({ number: shown ?? 0 })}
      </p>
    </>
  );
}
