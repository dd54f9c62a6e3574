/**
 * Splits growing Markdown into blocks that can be parsed independently, so that only the last one changes. A fenced code
 * block that is not indented is a block. Other text is split only where a blank line is followed by a line that neither
 * continues a list nor is indented. A last line that is still incomplete does not start a block.
 */
const fence = /^ {0,3}(`{3,}|~{3,})/;
const item = /^ {0,3}([-*+]|\d{1,9}[.)])(\s|$)/;
const beginningOfItem = /^(\d{0,9}|\d{1,9}[.)]|[-*+])$/;
/** Not of a footnote: each block would list it again. */
const definition = /^ {0,3}\[(?!\^)[^\]\n]{1,999}\]:\s*\S+.*$/gm;
/** A definition of a link or a footnote, or HTML that does not end with a blank line (CommonMark 0.31, 4.6). */
const needsOthers = /\]:|^ {0,3}<(?:[?!]|script|pre|style|textarea)/im;
/** Limits the link definitions that are added to each block, since every block parses them again. */
const mostDefinitions = 100;

/**
 * The blocks of a text so far. Link definitions in the last block may be incomplete, so earlier blocks do not use them. A text that
 * is complete and that blocks could show differently, because one of them refers to another, is one block.
 */
export function blocksOf(text: string, isGrowing = true): string[] {
  const cutter = new Cutter();
  const lines = text.split('\n');
  for (const [index, line] of lines.entries()) cutter.add(line, isGrowing && index === lines.length - 1);
  const { blocks } = cutter;
  if (isGrowing) return withDefinitions(blocks);
  return blocks.some((block) => !isCode(block) && needsOthers.test(block)) ? [text] : blocks;
}

class Cutter {
  readonly #blocks: string[] = [];
  #lines: string[] = [];
  /** The marker of the open fence. */
  #open: string | null = null;
  #isAfterCode = false;
  #isAfterBlank = false;
  #hasList = false;

  get blocks(): string[] {
    return [...this.#blocks, this.#lines.join('\n')];
  }

  add(line: string, isComing: boolean): void {
    const mark = fence.exec(line)?.[1];
    const isBlank = line.trim() === '';
    if (this.#open !== null) {
      if (mark && closes(mark, this.#open, line)) this.#close();
    } else {
      if (this.#lines.length > 0 && !isBlank && this.#isCut(line, isComing)) this.#cut();
      if (mark) this.#open = mark;
      else this.#hasList ||= item.test(line);
    }
    this.#isAfterBlank = isBlank;
    this.#lines.push(line);
  }

  #close(): void {
    this.#open = null;
    // A fence that is not indented starts its block.
    this.#isAfterCode = isCode(this.#lines[0] ?? '');
  }

  #isCut(line: string, isComing: boolean): boolean {
    if (this.#isAfterCode || /^(`{3}|~{3})/.test(line)) return true;
    if (!this.#isAfterBlank || /^\s/.test(line)) return false;
    return !this.#hasList || !(item.test(line) || (isComing && beginningOfItem.test(line)));
  }

  #cut(): void {
    this.#blocks.push(this.#lines.join('\n'));
    this.#lines = [];
    this.#isAfterCode = false;
    this.#hasList = false;
  }
}

function closes(mark: string, open: string, line: string): boolean {
  return mark[0] === open[0] && mark.length >= open.length && line.trim() === mark;
}

/** Adds the link definitions of the whole text to each block that may use them. */
function withDefinitions(blocks: string[]): string[] {
  const complete = blocks.slice(0, -1).filter((block) => block.includes(']:') && !isCode(block));
  const definitions = complete.flatMap((block) => block.match(definition) ?? []);
  if (definitions.length === 0) return blocks;
  const all = `\n\n${definitions.slice(0, mostDefinitions).join('\n')}`;
  return blocks.map((block) => (block.includes('[') && !isCode(block) ? block + all : block));
}

/** Whether the block is fenced code. */
export function isCode(block: string): boolean {
  return /^[`~]{3}/.test(block);
}

export interface OpenFence {
  /** The first word after the fence; empty if there is none. */
  language: string;
  code: string;
}

/** The code of a block whose fence is not closed yet; null for every other block. */
export function openFenceOf(block: string): OpenFence | null {
  const [first = '', ...lines] = block.split('\n');
  const mark = fence.exec(first)?.[1];
  if (mark === undefined || lines.some((line) => closes(fence.exec(line)?.[1] ?? '', mark, line))) return null;
  // The last line may be the start of the closing fence.
  if (/^ {0,3}(`{1,}|~{1,})$/.test(lines.at(-1) ?? '')) lines.pop();
  const language = first.trim().slice(mark.length).trim().split(/\s/)[0] ?? '';
  return { language, code: lines.join('\n') };
}
