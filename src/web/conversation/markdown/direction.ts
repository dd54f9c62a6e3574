/**
 * Gives each block of Markdown the direction of its own text, so that Arabic and Hebrew run from the right, also in part of an
 * answer. `dir="auto"` would not do: it skips what has a direction of its own, so that a list or a quotation of such
 * paragraphs would always run from the left. Code and formulas never count and never
 * change their direction.
 */
import type { Element, Root, RootContent } from 'hast';

export type Direction = 'ltr' | 'rtl';

const blocks = new Set(['p', 'ul', 'ol', 'li', 'blockquote', 'table', 'th', 'td', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6']);
/** Code, and formulas. */
const leftToRight = new Set(['code', 'pre', 'var']);
const rightToLeft =
  /[\u061c\u200f\p{Script=Adlam}\p{Script=Arabic}\p{Script=Hanifi_Rohingya}\p{Script=Hebrew}\p{Script=Mandaic}\p{Script=Nko}\p{Script=Samaritan}\p{Script=Syriac}\p{Script=Thaana}]/u;
/** Letters, and the invisible marks that say a direction. */
const strong = /[\p{L}\u061c\u200e\u200f]/u;

/** The direction of the first letter; undefined if there is none, since digits and signs run with the text around them. */
export function directionOf(text: string): Direction | undefined {
  const first = strong.exec(text)?.[0];
  if (first === undefined) return undefined;
  return rightToLeft.test(first) ? 'rtl' : 'ltr';
}

/** The same of Markdown that is not parsed. */
export function directionOfSource(markdown: string): Direction | undefined {
  return directionOf(markdown.replace(/`[^`\n]*`/g, ''));
}

/** A plugin of rehype, for the end of the list. */
export function rehypeDirection() {
  return (tree: Root): void => {
    for (const child of tree.children) direct(child);
  };
}

/** Returns the direction of the first letter in the node. */
function direct(node: RootContent): Direction | undefined {
  if (node.type === 'text') return directionOf(node.value);
  if (node.type !== 'element') return undefined;
  if (leftToRight.has(node.tagName)) return void setDirection(node, 'ltr');
  const [first] = node.children.map(direct).filter((direction) => direction !== undefined);
  if (first && blocks.has(node.tagName)) setDirection(node, first);
  return first;
}

function setDirection(node: Element, direction: Direction): void {
  node.properties = { ...node.properties, dir: direction };
}
