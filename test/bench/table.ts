import type { Row } from './bench.js';

const heads = ['', 'ours', 'baseline', 'ratio', 'spread', 'limit'];

/** The rows as a table of text, each column as wide as its widest cell. */
export function renderTable(groups: readonly { name: string; rows: readonly Row[] }[]): string {
  const lines = groups.flatMap(({ name, rows }) => rows.map((row) => cellsOf(name, row)));
  const widths = heads.map((head, column) =>
    Math.max(head.length, ...lines.map((cells) => cells[column]?.length ?? 0)),
  );
  const render = (cells: readonly string[]) =>
    cells
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd();
  return [heads, widths.map((width) => '─'.repeat(width)), ...lines].map(render).join('\n');
}

function cellsOf(name: string, row: Row): string[] {
  const ratio = row.ratio === undefined ? '' : `${row.ratio.toFixed(2)} ×`;
  const spread = row.spread?.map((bound) => bound.toFixed(2)).join(' to ') ?? '';
  return [`${name}: ${row.what}`, row.ours, row.baseline, ratio, spread, verdictOf(row)];
}

function verdictOf({ ratio, limit, least, measured, unit = 'ms' }: Row): string {
  const value = measured ?? ratio ?? Number.NaN;
  const bound = measured === undefined ? '×' : unit;
  if (least !== undefined) return value >= least ? `${least} ${bound}  kept` : `${least} ${bound}  UNDER`;
  if (limit === undefined) return '';
  return value <= limit ? `${limit} ${bound}  kept` : `${limit} ${bound}  OVER`;
}
