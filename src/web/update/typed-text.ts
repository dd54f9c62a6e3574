/**
 * Text that would be lost if the page were loaded again: whatever was typed into a field that still has it. Fields with
 * `data-draft` store their text in this browser with every key, so in these only the next keys would be lost.
 */
import { isTextField } from '../ui/typing.js';

type Field = HTMLInputElement | HTMLTextAreaElement;

/** Marks the fields that something is typed into. */
export function watchTyping(): void {
  const mark = ({ target }: Event) => {
    if (isTextField(target)) target.dataset['typed'] = '';
  };
  addEventListener('input', mark, { capture: true });
}

export function hasTypedText(): boolean {
  return [...document.querySelectorAll<Field>('input[data-typed], textarea[data-typed]')].some(isUnsaved);
}

function isUnsaved(field: Field): boolean {
  if (field.value.trim() === '') return false;
  const isStored = field.dataset['draft'] !== undefined;
  return !isStored || (field === document.activeElement && document.hasFocus());
}
