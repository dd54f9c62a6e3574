/**
 * What is copied of a conversation: without the colours of the page, which a document that it is pasted into would take over, and
 * with formulas as TeX in plain text, since browsers copy their symbols, one on each line.
 */

/** What CSS excludes from a selection, but not from a copy of its elements. */
const tools = '.message-tools, .code-tools';

document.addEventListener('copy', copyWithoutLook);

function copyWithoutLook(event: ClipboardEvent): void {
  const selection = getSelection();
  // A field has a selection of its own, beside which that of the page may remain.
  if (!selection?.rangeCount || !event.clipboardData || (event.target as Element).closest?.('input, textarea')) return;
  if (selection.isCollapsed) return;
  const range = withWholeFormulas(selection.getRangeAt(0));
  const copied = document.createElement('div');
  copied.append(contentsOf(range));
  for (const tool of copied.querySelectorAll(tools)) tool.remove();
  for (const plain of copied.querySelectorAll<HTMLElement>('.plain')) plain.style.whiteSpace = 'pre-wrap';
  // The lines of a plain text would be none in HTML.
  const isPlain = elementOf(range.commonAncestorContainer)?.closest('.plain');
  if (!isPlain) event.clipboardData.setData('text/html', copied.innerHTML);
  const formulas = copied.querySelectorAll<HTMLElement>('[data-tex]');
  for (const formula of formulas) {
    formula.textContent = formula.dataset['tex'] ?? '';
    formula.style.whiteSpace = 'pre';
  }
  event.clipboardData.setData('text/plain', formulas.length > 0 ? textOf(copied) : selection.toString());
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

/** What is a part stands in what it is a part of: code would lose its lines without that, and cells their table. */
function contentsOf(range: Range): Node {
  const contents = range.cloneContents();
  const common = elementOf(range.commonAncestorContainer);
  const whole = common?.closest(common.matches('table, thead, tbody, tr, ul, ol') ? 'table, ul, ol' : 'pre');
  return common && whole ? wrapped(contents, common, whole) : contents;
}

function wrapped(contents: Node, around: Element, whole: Element): Node {
  const clone = around.cloneNode();
  clone.appendChild(contents);
  return around === whole || !around.parentElement ? clone : wrapped(clone, around.parentElement, whole);
}

function formulaAround(node: Node): Element | null | undefined {
  return elementOf(node)?.closest('[data-tex]');
}

function elementOf(node: Node): Element | null {
  return node instanceof Element ? node : node.parentElement;
}

/** As the browser lays it out, which needs a place in the page. */
function textOf(element: HTMLElement): string {
  element.className = 'visually-hidden';
  document.body.append(element);
  const text = element.innerText;
  element.remove();
  return text;
}
