/// <reference types="remark-parse" />
/**
 * Formulas within a line of Markdown: $…$, $$…$$, \(…\) and \[…\]. Prices and variables of a shell remain text: a single
 * dollar opens a formula only before a character that is no space and not after a letter or digit, and closes one only
 * after a character that is no space and not before a letter or digit. Letters of scripts without spaces do not count.
 */
import type { Extension as FromMarkdown } from 'mdast-util-from-markdown';
import type { Construct, Extension, State } from 'micromark-util-types';
import type { Processor } from 'unified';
import { characterOf, unspacedLetter } from './character.js';

declare module 'micromark-util-types' {
  interface TokenTypeMap {
    formula: 'formula';
  }
}

const [dollar, backslash] = [36, 92];
/** What is longer is text, since so much is read again at each mark of a text whose formulas never end. */
const longestFormula = 400;
/** An amount that a word follows, as in "$5 or $6" and "$5和$6". */
const amount = new RegExp(`^[\\d.,]+(?:\\p{L}{0,2}(?:/\\p{L}+)?[,;:)]?\\s+\\p{L}{2,}|${unspacedLetter.source})`, 'u');
const wordCharacter = new RegExp(`(?!${unspacedLetter.source})[\\p{L}\\p{N}]`, 'u');

/** A plugin of remark. */
export function remarkFormulas(this: Processor): void {
  const data = this.data();
  data.micromarkExtensions = [...(data.micromarkExtensions ?? []), syntax];
  data.fromMarkdownExtensions = [...(data.fromMarkdownExtensions ?? []), nodes];
}

const formula: Construct = {
  name: 'formula',
  previous: (code) => code !== dollar,
  tokenize(effects, ok, nok) {
    const before = characterOf(this.previous);
    let text = '';
    const next: State = (code) => {
      const verdict = text === '' ? 'continues' : verdictOn(text, before, characterOf(code));
      if (verdict === 'ends') {
        effects.exit('formula');
        return ok(code);
      }
      if (verdict === 'fails') return nok(code);
      text += characterOf(code);
      effects.consume(code);
      return next;
    };
    return (code) => {
      effects.enter('formula');
      return next(code);
    };
  },
};

const syntax: Extension = { text: { [dollar]: formula, [backslash]: formula } };

/** A formula is an inline code for mdast, and a `var` in HTML. */
const nodes: FromMarkdown = {
  enter: {
    formula(token) {
      const source = this.sliceSerialize(token);
      const width = hasTwoMarks(source) ? 2 : 1;
      const className = source.startsWith('$$') || source.startsWith('\\[') ? ['math-block'] : [];
      const value = source.slice(width, -width).trim();
      this.enter({ type: 'inlineCode', value, data: { hName: 'var', hProperties: { className } } }, token);
    },
  },
  exit: {
    formula(token) {
      this.exit(token);
    },
  },
};

type Verdict = 'continues' | 'ends' | 'fails';

/** What the text so far is, given the characters around it. */
function verdictOn(text: string, before: string, after: string): Verdict {
  if (text.length === 1) return mayOpen(text, before, after) ? 'continues' : 'fails';
  if (isClosed(text)) return hasTwoMarks(text) || isSingle(text, after) ? 'ends' : 'fails';
  const isNested = text.startsWith('\\') && text.length > 2 && text.endsWith(text.slice(0, 2));
  return after === '' || isNested || text.length >= longestFormula ? 'fails' : 'continues';
}

function mayOpen(mark: string, before: string, after: string): boolean {
  if (mark === '\\') return after === '(' || after === '[';
  return after === '$' || (after.trim() !== '' && !wordCharacter.test(before));
}

function hasTwoMarks(text: string): boolean {
  return text.startsWith('$$') || text.startsWith('\\');
}

function isClosed(text: string): boolean {
  if (text.startsWith('$$')) return text.length > 4 && text.endsWith('$$');
  if (text.startsWith('$')) return text.endsWith('$') && !text.endsWith('\\$');
  return text.endsWith(text.startsWith('\\(') ? '\\)' : '\\]') && !/[^\\]\\\\.$/.test(text);
}

/** Whether the text between two single dollars is a formula, not an amount and what follows it. */
function isSingle(text: string, after: string): boolean {
  const content = text.slice(1, -1);
  return content === content.trimEnd() && !wordCharacter.test(after) && after !== '$' && !amount.test(content);
}
