import { touch } from './composer/composer-keys.js';

/** Moves the focus to the messages, for a button that disappears when it is pressed. */
export function focusMessages(): void {
  document.querySelector<HTMLElement>('.messages-scroll')?.focus();
}

/** Whether the focus is where `focusMessages` moves it. */
export function isOnMessages(): boolean {
  return document.activeElement?.matches('.messages-scroll') === true;
}

/** Moves the focus to where the next message is written. On a phone that would open the keyboard, which covers half of the page. */
export function focusComposer(): void {
  const field = document.querySelector<HTMLTextAreaElement>('.composer textarea');
  if (field && !touch.matches) focusAtEnd(field);
  else focusMessages();
}

/** Moves the focus to a field, behind what is written in it. */
export function focusAtEnd(field: HTMLTextAreaElement): void {
  field.focus();
  field.setSelectionRange(field.value.length, field.value.length);
}
