import type { Row } from './bench.js';
import type { Comparison, Figures } from './measuring/compare.js';

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
