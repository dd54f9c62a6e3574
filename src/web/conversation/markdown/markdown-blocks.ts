/**
 * Cuts Markdown that is growing into blocks that mean the same each for itself, so that only the last one changes. Code between
 * fences that are not indented is a block; else a cut is made only where a blank line is followed by a line that can neither
 * go on with a list nor is indented. What the last line may still become is waited for.
 */
const fence = /^ {0,3}(`{3,}|~{3,})/;
const item = /^ {0,3}([-*+]|\d{1,9}[.)])(\s|$)/;
const beginningOfItem = /^(\d{0,9}|\d{1,9}[.)]|[-*+])$/;
const definition = /^ {0,3}\[[^\]\n]{1,999}\]:\s*\S+.*$/gm;
/** As many definitions as each block is given: with more, a text of them would be read as often as it has blocks. */
const mostDefinitions = 100;

/** The blocks of a text so far. Links whose address may still be coming are not known to the blocks before them. */
export function blocksOf(text: string): string[] {
  const cutter = new Cutter();
  const lines = text.split('\n');
  for (const [index, line] of lines.entries()) cutter.add(line, index === lines.length - 1);
  return withDefinitions(cutter.blocks);
}

class Cutter {
  readonly #blocks: string[] = [];
  #lines: string[] = [];
  /** The mark of the fence that is open. */
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
    // A fence that is not indented stands at the beginning of its block.
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

/** Links by reference are defined once for the whole text, so that each block that may use one needs them. */
function withDefinitions(blocks: string[]): string[] {
  const complete = blocks.slice(0, -1).filter((block) => block.includes(']:') && !isCode(block));
  const definitions = complete.flatMap((block) => block.match(definition) ?? []);
  if (definitions.length === 0) return blocks;
  const all = `\n\n${definitions.slice(0, mostDefinitions).join('\n')}`;
  return blocks.map((block) => (block.includes('[') && !isCode(block) ? block + all : block));
}

function isCode(block: string): boolean {
  return /^[`~]{3}/.test(block);
}

export interface OpenFence {
  /** The first word behind the fence; empty where there is none. */
  language: string;
  code: string;
}

/** The code of a block that is a fence which is not closed yet: it is still coming. Null for every other block. */
export function openFenceOf(block: string): OpenFence | null {
  const [first = '', ...lines] = block.split('\n');
  const mark = fence.exec(first)?.[1];
  if (mark === undefined || lines.some((line) => closes(fence.exec(line)?.[1] ?? '', mark, line))) return null;
  // What may become the closing fence is not code.
  if (/^ {0,3}(`{1,}|~{1,})$/.test(lines.at(-1) ?? '')) lines.pop();
  const language = first.trim().slice(mark.length).trim().split(/\s/)[0] ?? '';
  return { language, code: lines.join('\n') };
}
