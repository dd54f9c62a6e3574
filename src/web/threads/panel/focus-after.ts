/** What gets the focus when a row leaves the list: its neighbour, also of another day, or else the list. */
export function focusAfter(row: Element): HTMLElement | null {
  const rows = [...document.querySelectorAll('.thread-row')];
  const at = rows.indexOf(row);
  const neighbour = rows[at + 1] ?? rows[at - 1];
  return neighbour?.querySelector<HTMLElement>('.thread-link') ?? document.querySelector<HTMLElement>('.panel');
}
