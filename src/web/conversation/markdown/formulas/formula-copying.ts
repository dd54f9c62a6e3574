/** Copies a selection that holds formulas with their TeX as text, since browsers copy the symbols, one on each line. */

/** What CSS excludes from a selection, but not from a copy of its elements. */
const tools = '.message-tools, .code-tools';

export function copyAsTex(event: ClipboardEvent): void {
  const selection = getSelection();
  // A field has a selection of its own, beside which that of the page may remain.
  if (!selection?.rangeCount || !event.clipboardData || (event.target as Element).closest?.('input, textarea')) return;
  const copied = document.createElement('div');
  copied.append(withWholeFormulas(selection.getRangeAt(0)).cloneContents());
  const formulas = copied.querySelectorAll<HTMLElement>('[data-tex]');
  if (formulas.length === 0) return;

  for (const tool of copied.querySelectorAll(tools)) tool.remove();
  event.clipboardData.setData('text/html', copied.innerHTML);
  for (const formula of formulas) {
    formula.textContent = formula.dataset['tex'] ?? '';
    formula.style.whiteSpace = 'pre';
  }
  event.clipboardData.setData('text/plain', textOf(copied));
  event.preventDefault();
}

function withWholeFormulas(selected: Range): Range {
  const range = selected.cloneRange();
  const first = formulaAround(range.startContainer);
  const last = formulaAround(range.endContainer);
  if (first) range.setStartBefore(first);
  if (last) range.setEndAfter(last);
  return range;
}

function formulaAround(node: Node): Element | null | undefined {
  return (node instanceof Element ? node : node.parentElement)?.closest('[data-tex]');
}

/** As the browser lays it out, which needs a place in the page. */
function textOf(element: HTMLElement): string {
  element.className = 'visually-hidden';
  document.body.append(element);
  const text = element.innerText;
  element.remove();
  return text;
}
