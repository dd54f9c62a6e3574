/**
 * Tells typing from shortcuts. A text field gets every key that can write a character. Option, Alt and AltGr write with letters
 * too: Option+N begins ñ on a Mac, and on Windows AltGr, which browsers report as Ctrl and Alt, writes ń with it.
 */
export type Modifiers = Pick<KeyboardEvent, 'altKey' | 'ctrlKey' | 'metaKey'>;

const textFields = 'input:not([type=checkbox], [type=radio], [type=file]), textarea, select';

/** Whether Ctrl or ⌘ is held, and no key that makes the letter another one. */
export function isCommand({ altKey, ctrlKey, metaKey }: Modifiers): boolean {
  return (ctrlKey || metaKey) && !altKey;
}

/** The letter of a command: where keys write another script, such as Arabic, the Latin one of the same key. */
export function letterOf({ key, code }: Pick<KeyboardEvent, 'key' | 'code'>): string {
  return (/^[a-z]$/i.test(key) ? key : code.replace('Key', '')).toLowerCase();
}

/** Whether a key belongs to the text field that has the focus: any that is not a command. */
export function isTyping(event: Modifiers & Pick<Event, 'target'>): boolean {
  return isTextField(event.target) && !isCommand(event);
}

export function isTextField(target: EventTarget | null): target is HTMLElement {
  return target instanceof HTMLElement && (target.matches(textFields) || target.isContentEditable);
}

/** Whether a key alone was pressed, outside of text fields and dialogs. */
export function isPlainKey(event: KeyboardEvent): boolean {
  if (event.ctrlKey || event.metaKey || event.altKey) return false;
  return !isTextField(event.target) && document.querySelector('[role=dialog], [role=menu]') === null;
}
