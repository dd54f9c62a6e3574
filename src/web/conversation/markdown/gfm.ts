/// <reference types="remark-parse" />
/**
 * GitHub's Markdown (tables, deletion, tasks, footnotes, addresses as links), to read only: `remark-gfm` also has what writes it,
 * a tenth of all the code that shows an answer. HTML in it is shown as it was written. Sanitizing would remove it without a trace,
 * and with it what only looks like HTML, such as `List<String>`, and all the text in a block.
 */
import type { ElementContent } from 'hast';
import { gfmFromMarkdown } from 'mdast-util-gfm';
import { gfm } from 'micromark-extension-gfm';
import type { Processor } from 'unified';

/** A plugin of remark. One tilde is text: it means "about" or "to" in many languages. */
export function remarkGfm(this: Processor): void {
  const data = this.data();
  data.micromarkExtensions = [...(data.micromarkExtensions ?? []), gfm({ singleTilde: false })];
  data.fromMarkdownExtensions = [...(data.fromMarkdownExtensions ?? []), gfmFromMarkdown()];
}

const lineBreak = /^<br\s*\/?>$/i;
const containers = new Set(['root', 'blockquote', 'listItem', 'footnoteDefinition']);
const br: ElementContent = { type: 'element', tagName: 'br', properties: {}, children: [] };

/** A handler of remark-rehype. Only a line break is one, since a cell of a table can have no other. */
export function html(_state: unknown, { value }: { value: string }, parent?: { type: string }): ElementContent {
  if (lineBreak.test(value)) return br;
  if (!containers.has(parent?.type ?? '')) return { type: 'text', value };
  const lines = value.split('\n').flatMap((line): ElementContent[] => [br, { type: 'text', value: line }]);
  return { type: 'element', tagName: 'p', properties: {}, children: lines.slice(1) };
}
