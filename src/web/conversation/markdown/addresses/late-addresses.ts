/** The addresses that GFM finds afterwards, in text that the parser left as it was, end like all others (`address-ends.ts`). */
import type { Element, ElementContent, Root } from 'hast';
import { endIn } from './address-ends.js';

const address = /^(?:https?:\/\/|www\.)/i;

/** A plugin of rehype. */
export function rehypeLateAddresses() {
  return (tree: Root): void => {
    for (const child of tree.children) if (child.type === 'element') shortenIn(child);
  };
}

function shortenIn(element: Element): void {
  element.children = element.children.flatMap((child) => {
    if (child.type !== 'element') return [child];
    // These alone have no position.
    if (child.tagName === 'a' && !child.position) return shortened(child);
    shortenIn(child);
    return [child];
  });
}

function shortened(link: Element): ElementContent[] {
  const [text] = link.children;
  if (text?.type !== 'text' || !address.test(text.value)) return [link];
  const end = endIn(text.value);
  if (end === text.value.length) return [link];
  const shown = text.value.slice(0, end);
  const href = /^www/i.test(shown) ? `http://${shown}` : shown;
  return [
    { ...link, properties: { href }, children: [{ type: 'text', value: shown }] },
    { type: 'text', value: text.value.slice(end) },
  ];
}
