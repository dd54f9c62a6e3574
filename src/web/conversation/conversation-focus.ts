/** Moves the focus to the messages: for a button that goes away once it is pressed, and would take the focus with it. */
export function focusMessages(): void {
  document.querySelector<HTMLElement>('.messages-scroll')?.focus();
}
