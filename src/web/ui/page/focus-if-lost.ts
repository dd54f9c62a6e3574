/** Moves the focus to the page where what had it is gone. */
export function focusIfLost(): void {
  if (document.activeElement === document.body) document.querySelector<HTMLElement>('.stage')?.focus();
}
