/**
 * Cuts a long list or table that is still growing into parts, so that its end alone is read again with each frame. A part of a
 * list is a list, and a part of a table has the table's head; whoever shows them makes one of them again.
 */
const longPart = 1000;

export interface GrowingParts {
  kind: 'ul' | 'ol' | 'table';
  /** The number of the first item of a numbered list. */
  start: number;
  /** The last one grows. */
  parts: string[];
}

const bullet = /^([-*+])\s/;
const number = /^(\d{1,9})([.)])\s/;
/** What ends a list without a blank line. */
const ending = /^(#{1,6}\s|>|\|)/;
const cell = /^\s*:?-+:?\s*$/;

/** The parts of a block; null for one that is short, or nothing of the kind. */
export function partsOf(block: string): GrowingParts | null {
  if (block.length < 2 * longPart) return null;
  const lines = block.split('\n');
  const [head = '', second = ''] = lines;
  if (head.includes('|') && isRule(second) && lines.slice(2, -1).every((line) => line.includes('|'))) {
    const opening = `${head}\n${second}\n`;
    const parts = cut(lines.slice(2), () => true).map((rows) => opening + rows);
    return { kind: 'table', start: 1, parts };
  }
  const mark = bullet.exec(head)?.[1] ?? number.exec(head)?.[2];
  if (mark === undefined || lines.some((line) => ending.test(line))) return null;
  const isNext = (line: string) => (bullet.exec(line)?.[1] ?? number.exec(line)?.[2]) === mark;
  const start = Number(number.exec(head)?.[1] ?? 1);
  return { kind: number.test(head) ? 'ol' : 'ul', start, parts: cut(lines, isNext) };
}

/** The line below a table's head. Cell by cell: an expression for the whole line takes time with the square of its spaces. */
function isRule(line: string): boolean {
  const trimmed = line.trim();
  const cells = trimmed.replace(/^\|/, '').replace(/\|$/, '').split('|');
  return trimmed.includes('|') && cells.every((text) => cell.test(text));
}

/** Parts that are as short as they can be beyond some length, each of which begins with a line where one may begin. */
function cut(lines: readonly string[], mayBegin: (line: string) => boolean): string[] {
  const parts: string[] = [];
  let part = '';
  for (const line of lines) {
    if (part.length >= longPart && mayBegin(line)) {
      parts.push(part);
      part = '';
    }
    part += part === '' ? line : `\n${line}`;
  }
  return [...parts, part];
}
