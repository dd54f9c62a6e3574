/** Moves the focus to the messages, for a button that disappears when it is pressed. */
export function focusMessages(): void {
  document.querySelector<HTMLElement>('.messages-scroll')?.focus();
}
