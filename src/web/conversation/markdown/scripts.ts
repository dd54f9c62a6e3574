/// <reference types="remark-parse" />
/**
 * Markdown for texts without spaces between words, as in Chinese, Japanese and Korean: marks of emphasis and deletion work beside
 * punctuation of these scripts too. CommonMark would show the asterisks. Only two tildes delete, since one means "about" or "to".
 */
import { cjkFriendlyExtension } from 'micromark-extension-cjk-friendly';
import { gfmStrikethroughCjkFriendly } from 'micromark-extension-cjk-friendly-gfm-strikethrough';
import type { Processor } from 'unified';
import { webAddresses } from './addresses/web-addresses.js';

const extensions = [cjkFriendlyExtension(), gfmStrikethroughCjkFriendly({ singleTilde: false }), webAddresses];

/** A plugin of remark, which follows the one of GFM. */
export function remarkScripts(this: Processor): void {
  const data = this.data();
  data.micromarkExtensions = [...(data.micromarkExtensions ?? []), ...extensions];
}
