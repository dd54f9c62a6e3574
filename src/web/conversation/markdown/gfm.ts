/// <reference types="remark-parse" />
/**
 * GitHub's Markdown (tables, deletion, tasks, footnotes, addresses as links), to read only: `remark-gfm` also has what writes it,
 * a tenth of all the code that shows an answer.
 */
import { gfmFromMarkdown } from 'mdast-util-gfm';
import { gfm } from 'micromark-extension-gfm';
import type { Processor } from 'unified';

/** A plugin of remark. One tilde is text: it means "about" or "to" in many languages. */
export function remarkGfm(this: Processor): void {
  const data = this.data();
  data.micromarkExtensions = [...(data.micromarkExtensions ?? []), gfm({ singleTilde: false })];
  data.fromMarkdownExtensions = [...(data.fromMarkdownExtensions ?? []), gfmFromMarkdown()];
}
