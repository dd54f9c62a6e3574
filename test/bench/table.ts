/** The rows of a benchmark as a table of text, and what stands in its cells. */
import type { Row } from './bench.js';
import type { Comparison, Figures } from './measuring/compare.js';

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

/** How often and how fast something was answered, as a cell of the table. */
export function rateCell({ perSecond, p50Ms, p99Ms }: Figures): string {
  return `${Math.round(perSecond).toLocaleString('en')}/s  p50 ${p50Ms.toFixed(1)}  p99 ${p99Ms.toFixed(1)} ms`;
}

/** Both sides of a comparison, and how they compare. */
export function comparedCells({ ours, baseline, ratio, spread }: Comparison): Omit<Row, 'what'> {
  return { ours: rateCell(ours), baseline: rateCell(baseline), ratio, spread };
}

/** Latencies as a cell of the table. */
export function latencyCell({ p50Ms, p99Ms }: Pick<Figures, 'p50Ms' | 'p99Ms'>): string {
  return `p50 ${p50Ms.toFixed(1)}  p99 ${p99Ms.toFixed(1)} ms`;
}
