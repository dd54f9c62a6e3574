/**
 * The field for one more tag, with the tags in use below it. The arrows choose one of them and Enter takes it, while the focus
 * stays in the field; without a choice, Enter or a comma takes what is written.
 */
import { type ChangeEvent, type KeyboardEvent, type RefObject, useState } from 'react';
import { defineTexts, useTexts } from '../../language/texts.js';
import { cleanText } from '../../ui/display-name.js';

const texts = defineTexts('threads/tags/tag-field', { add: 'Add a tag', inUse: 'Tags in use' });

export interface TagFieldProps {
  field: RefObject<HTMLInputElement | null>;
  hint: string;
  written: string;
  suggestions: readonly string[];
  onWrite: (written: string) => void;
  onAdd: (written: string) => void;
}

export function TagField({ field, hint, written, suggestions, onWrite, onAdd }: TagFieldProps) {
  const t = useTexts(texts);
  const [chosen, setChosen] = useState(-1);
  const index = Math.min(chosen, suggestions.length - 1);
  const write = (text: string) => {
    setChosen(-1);
    onWrite(text);
  };
  const add = (text: string) => {
    setChosen(-1);
    onAdd(text);
  };
  const onChange = ({ target, nativeEvent }: ChangeEvent<HTMLInputElement>) => {
    const isComposing = nativeEvent instanceof InputEvent && nativeEvent.isComposing;
    if (target.value.includes(',') && !isComposing) add(target.value);
    else write(target.value);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    // Beyond the last one, and before the first, none is chosen.
    const places = suggestions.length + 1;
    if (step) setChosen(((index + 1 + step + places) % places) - 1);
    // With nothing to take, Enter saves.
    else if (event.key === 'Enter' && (suggestions[index] || written.trim())) add(suggestions[index] ?? written);
    else return;
    event.preventDefault();
  };
  return (
    <>
      <input
        ref={field}
        className="input"
        role="combobox"
        dir="auto"
        autoComplete="off"
        aria-label={t.add}
        aria-describedby={hint}
        aria-autocomplete="list"
        aria-expanded={suggestions.length > 0}
        aria-controls="tag-suggestions"
        aria-activedescendant={suggestions[index] && `tag-suggestion-${index}`}
        placeholder={t.add}
        value={written}
        onChange={onChange}
        onKeyDown={onKeyDown}
      />
      <Suggestions suggestions={suggestions} index={index} onAdd={add} />
    </>
  );
}

interface SuggestionsProps {
  suggestions: readonly string[];
  index: number;
  onAdd: (tag: string) => void;
}

/** Keys are handled by the field, which keeps the focus. */
function Suggestions({ suggestions, index, onAdd }: SuggestionsProps) {
  return (
    <div id="tag-suggestions" className="tag-list tag-suggestions" role="listbox" aria-label={useTexts(texts).inUse}>
      {suggestions.map((tag, place) => (
        <button
          key={tag}
          type="button"
          id={`tag-suggestion-${place}`}
          className="tag"
          role="option"
          tabIndex={-1}
          aria-selected={place === index}
          onPointerDown={(event) => event.preventDefault()}
          onClick={() => onAdd(tag)}
        >
          <bdi className="one-line">{cleanText(tag)}</bdi>
        </button>
      ))}
    </div>
  );
}
