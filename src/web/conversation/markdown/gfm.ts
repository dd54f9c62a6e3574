/// <reference types="remark-parse" />
/**
 * GitHub's Markdown (tables, deletion, tasks, footnotes, addresses as links), to read only: `remark-gfm` also has what writes it,
 * a tenth of all the code that shows an answer. HTML in it is shown as it was written. Sanitizing would remove it without a trace,
 * and with it what only looks like HTML, such as `List<String>`, and all the text in a block. Of HTML there are only a line break, and
 * subscripts, superscripts and keys, for which Markdown has no marks: models write `H<sub>2</sub>O`.
 */
import type { ElementContent } from 'hast';
import type { Nodes, Parents, PhrasingContent } from 'mdast';
import { gfmFromMarkdown } from 'mdast-util-gfm';
import { cjkFriendlyExtension } from 'micromark-extension-cjk-friendly';
import { gfmStrikethroughCjkFriendly } from 'micromark-extension-cjk-friendly-gfm-strikethrough';
import { gfm } from 'micromark-extension-gfm';
import type { Processor } from 'unified';
import { webAddresses } from './addresses/web-addresses.js';

/** One tilde is text: it means "about" or "to" in many languages. */
const tildes = { singleTilde: false };
/**
 * After that of GFM: marks of emphasis and deletion work beside punctuation of scripts without spaces between words too, as in
 * Chinese, Japanese and Korean. CommonMark would show the asterisks.
 */
const syntax = [gfm(tildes), cjkFriendlyExtension(), gfmStrikethroughCjkFriendly(tildes), webAddresses];

/** A plugin of remark. */
export function remarkGfm(this: Processor): void {
  const data = this.data();
  data.micromarkExtensions = [...(data.micromarkExtensions ?? []), ...syntax];
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

const blocks = new Set([...containers, 'list', 'table', 'tableRow']);
const tag = /^<(\/?)(sub|sup|kbd)>$/i;
/** Deeper ones stay text: each level of elements takes a part of the stack. */
const deepest = 4;

/** A plugin of remark: pairs of these tags, without attributes, become elements. */
export function remarkInlineTags() {
  return pairTags;
}

function pairTags(parent: Nodes): void {
  if (!('children' in parent)) return;
  for (const child of parent.children) pairTags(child);
  if (!isText(parent)) return;
  const content: PhrasingContent[] = [];
  const open: { name: string; at: number }[] = [];
  for (const node of parent.children) {
    const [, slash, name] = (node.type === 'html' && tag.exec(node.value.toLowerCase())) || [];
    const last = open.at(-1);
    if (name && slash && last?.name === name) {
      open.pop();
      // Any node becomes another element by its data. Emphasis has nothing but its content.
      const [, ...children] = content.splice(last.at);
      content.push({ type: 'emphasis', data: { hName: name }, children });
      continue;
    }
    if (name && !slash && open.length < deepest) open.push({ name, at: content.length });
    content.push(node);
  }
  parent.children = content;
}

type Text = Extract<Nodes, { children: PhrasingContent[] }>;

/** Whether it contains text, and no other blocks. */
function isText(parent: Parents): parent is Text {
  return !blocks.has(parent.type);
}
