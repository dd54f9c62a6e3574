/**
 * Turns displayed formulas into fenced code in the language "math", as GitHub writes them, so that Markdown does not read
 * their lines as lists and headings. A formula starts a line with $$, \[ or the beginning of an environment, ends a line, and
 * contains no blank line, which TeX does not allow either. A formula that has not ended yet is an open fence while the text grows.
 */
const fence = /^\s*(?:(?:[-*+]|\d{1,9}[.)])\s+)?(`{3,}|~{3,})/;
const opening =
  /^((?:(?:[-*+]|\d{1,9}[.)])\s)?\s*)(\$\$|\\\[|\\begin\{(?:equation|align|alignat|gather|multline)\*?\})(.*)$/;
const marks = ['$$', '\\[', '\\begin{'];
const quotation = /^ {0,3}> ?/;
/** Each is read once more. */
const deepestQuotation = 5;
/** In lines. */
const longestFormula = 200;
const indented = /^(?: {4}|\t)/;

/** The text with its displayed formulas as fences. */
export function withMathFences(text: string, isGrowing: boolean, quotations = deepestQuotation): string {
  if (!marks.some((mark) => text.includes(mark))) return text;
  const lines = text.split('\n');
  const result: string[] = [];
  const code = new CodeFences();
  const inner = (quoted: string, isLast: boolean) => withMathFences(quoted, isGrowing && isLast, quotations - 1);
  for (let index = 0; index < lines.length; index += 1) {
    const line = lines[index] ?? '';
    const isQuoted = quotations > 0 && quotation.test(line);
    const find = () => (isQuoted ? quotedAt(lines, index, inner) : formulaAt(lines, index, isGrowing));
    const found = code.has(line) ? null : find();
    result.push(...(found?.lines ?? [line]));
    index = found?.last ?? index;
  }
  return result.join('\n');
}

/** Follows the fences of code from line to line. */
class CodeFences {
  #open: string | null = null;

  /** Whether the line is part of fenced code, its fences included. */
  has(line: string): boolean {
    const mark = fence.exec(line)?.[1];
    if (this.#open === null) {
      this.#open = mark ?? null;
      return mark !== undefined;
    }
    if (mark?.startsWith(this.#open) && line.trim() === mark) this.#open = null;
    return true;
  }
}

interface Fenced {
  lines: string[];
  /** The index of the last line in the text. */
  last: number;
}

/** A quotation, which is a text of its own. */
function quotedAt(lines: readonly string[], first: number, inner: (text: string, isLast: boolean) => string): Fenced {
  let last = first;
  while (quotation.test(lines[last + 1] ?? '')) last += 1;
  const quoted = lines.slice(first, last + 1);
  const text = quoted.map((line) => line.replace(quotation, '')).join('\n');
  const result = inner(text, last === lines.length - 1);
  return { lines: result === text ? quoted : result.split('\n').map((line) => `> ${line}`), last };
}

function formulaAt(lines: readonly string[], first: number, isGrowing: boolean): Fenced | null {
  const [, before = '', mark = '', rest = ''] = opening.exec(lines[first] ?? '') ?? [];
  const isCode = indented.test(before) && (lines[first - 1] ?? '').trim() === '';
  if (mark === '' || isCode) return null;
  const [opener, ending] = kept(mark);
  const closer = ending || mark.replace('[', ']');
  const content = [opener + rest, ...paragraphAfter(lines, first)];
  const end = content.findIndex((line) => line.includes(closer));
  const last = first + (end < 0 ? content.length - 1 : end);
  if (end < 0) return isGrowing && last === lines.length - 1 ? { lines: fenced(before, content, false), last } : null;
  const [inside = '', after = ''] = splitAt(content[end] ?? '', closer);
  if (!/^[.,;:]?$/.test(after.trim())) return null;
  return { lines: fenced(before, [...content.slice(0, end), inside + ending], true), last };
}

/** The marks that are part of the formula: those of an environment. */
function kept(mark: string): [opener: string, ending: string] {
  return mark.startsWith('\\begin') ? [mark, mark.replace('begin', 'end')] : ['', ''];
}

/** The lines up to the next blank one. */
function paragraphAfter(lines: readonly string[], first: number): string[] {
  const result: string[] = [];
  for (let index = first + 1; index < lines.length && result.length < longestFormula; index += 1) {
    const line = lines[index] ?? '';
    if (line.trim() === '') break;
    result.push(line);
  }
  return result;
}

function splitAt(line: string, mark: string): [string, string] {
  const index = line.indexOf(mark);
  return [line.slice(0, index), line.slice(index + mark.length)];
}

function fenced(before: string, content: readonly string[], isClosed: boolean): string[] {
  const indent = ' '.repeat(before.length);
  const lines = content.map((line) => line.trim()).filter((line) => line !== '');
  // A longer fence than any in the formula.
  const mark = '`'.repeat(Math.max(3, ...lines.map((line) => (/^`*/.exec(line)?.[0].length ?? 0) + 1)));
  return [`${before}${mark}math`, ...lines.map((line) => indent + line), ...(isClosed ? [indent + mark] : [])];
}
