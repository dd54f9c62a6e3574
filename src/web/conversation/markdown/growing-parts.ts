/**
 * Splits a long list or table that is still growing into parts, so that only its last part is parsed again with each frame.
 * Each part of a list is a list, and each part of a table has the head of the table; the renderer joins them again.
 */
const longPart = 1000;

export interface GrowingParts {
  kind: 'ul' | 'ol' | 'table';
  /** The number of the first item of an ordered list. */
  start: number;
  /** Only the last part grows. */
  parts: string[];
}

const bullet = /^([-*+])\s/;
const number = /^(\d{1,9})([.)])\s/;
/** Lines that end a list without a blank line. */
const ending = /^(#{1,6}\s|>|\|)/;
const cell = /^\s*:?-+:?\s*$/;

/** The parts of a block; null if it is short, or neither a list nor a table. */
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

/**
 * Whether a line is the delimiter row of a table. Each cell is matched separately, since one expression for the whole line
 * takes quadratic time.
 */
function isRule(line: string): boolean {
  const trimmed = line.trim();
  const cells = trimmed.replace(/^\|/, '').replace(/\|$/, '').split('|');
  return trimmed.includes('|') && cells.every((text) => cell.test(text));
}

/** Splits lines into parts of a minimum length. A part starts only at a line where one may start. */
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
