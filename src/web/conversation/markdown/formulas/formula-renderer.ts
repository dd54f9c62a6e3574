/**
 * Turns TeX into MathML as React elements. The library builds elements that are never part of the page. Only the elements and
 * attributes listed here are copied from them, so a formula holds no link, style, script or foreign class, whatever the
 * library makes of it. Length, macro expansion, depth and size are bounded.
 */
import { createElement, type ReactNode } from 'react';
import temml from 'temml';

/** A space or the name of an operator takes a few expansions. A macro that the formula defines may be as long as the formula. */
const limits = {
  characters: 4000,
  expansions: 8000,
  ownExpansions: 200,
  expanded: 100_000,
  elements: 5000,
  depth: 80,
} as const;
const definition = /\\(?:[egx]?def|let|futurelet|\w*command)/;
/** In em: without a bound, a formula could cover the page. */
const largestLength = 20;
const elements = new Set(
  'math mfrac mi mmultiscripts mn mo mover mpadded mphantom mprescripts mroot mrow ms mspace msqrt mstyle msub msubsup msup mtable mtd mtext mtr munder munderover none'.split(
    ' ',
  ),
);
const attributes = new Set(
  'accent accentunder columnalign columnspan display displaystyle fence form largeop linethickness lspace mathvariant maxsize minsize movablelimits rowspan rspace scriptlevel separator stretchy symmetric width'.split(
    ' ',
  ),
);
const classes = new Set(['tml-left', 'tml-right']);
const namesOfReact: Record<string, string> = { columnspan: 'columnSpan', rowspan: 'rowSpan' };

/** The formula as MathML; null if it is not valid TeX or exceeds a limit, and is then shown as it was written. */
export function renderFormula(source: string, isBlock: boolean): ReactNode {
  if (source.length > limits.characters) return null;
  const scratch = document.createElement('span');
  try {
    temml.render(source, scratch, {
      displayMode: isBlock,
      throwOnError: true,
      trust: false,
      maxExpand: mostExpansions(source),
      maxSize: [largestLength, largestLength],
    });
  } catch {
    // Neither a syntax error nor nesting that exhausts the stack may take the conversation with it.
    return null;
  }
  if (scratch.getElementsByTagName('*').length > limits.elements) return null;
  const math = scratch.querySelector('math');
  return math && isShallow(math, limits.depth) ? copy(math, 0) : null;
}

/** As many expansions as make no more than `expanded` tokens of the source, or twice as many where macros have parameters. */
function mostExpansions(source: string): number {
  if (!definition.test(source)) return limits.expansions;
  const growth = mostRepetitions(source.match(/#[1-9]?/g) ?? []);
  const room = limits.expanded / source.length;
  return Math.min(limits.ownExpansions, growth > 1 ? Math.log(room) / Math.log(growth) : room);
}

/** How often the same parameter stands in the source: an expansion cannot repeat what it is given more often than that. */
function mostRepetitions(parameters: readonly string[]): number {
  // One that a comment or another macro separates from its number could be any.
  if (parameters.includes('#')) return Number.POSITIVE_INFINITY;
  return Math.max(...[...'123456789'].map((digit) => parameters.filter((one) => one === `#${digit}`).length));
}

function isShallow(element: Element, depth: number): boolean {
  return depth > 0 && [...element.children].every((child) => isShallow(child, depth - 1));
}

function copy(node: Node, index: number): ReactNode {
  if (node.nodeType === Node.TEXT_NODE) return node.nodeValue;
  if (!(node instanceof Element)) return null;
  const children = [...node.childNodes].map(copy);
  // The children of what is not listed remain, in a row, since the place of an element counts in MathML.
  if (!elements.has(node.localName)) return createElement('mrow', { key: index }, ...children);
  return createElement(node.localName, { key: index, ...kept(node) }, ...children);
}

function kept(element: Element): Record<string, string> {
  const className = [...element.classList].filter((name) => classes.has(name)).join(' ');
  const entries = [...element.attributes].filter(({ name }) => attributes.has(name));
  return {
    ...Object.fromEntries(entries.map(({ name, value }) => [namesOfReact[name] ?? name, value])),
    ...(className && { className }),
  };
}
