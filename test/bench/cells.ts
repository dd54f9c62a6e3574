import type { Figures } from './measuring/compare.js';

/** How often and how fast something was answered, as a cell of the table. */
export function rateCell({ perSecond, p50Ms, p99Ms }: Figures): string {
  return `${Math.round(perSecond).toLocaleString('en')}/s  p50 ${p50Ms.toFixed(1)}  p99 ${p99Ms.toFixed(1)} ms`;
}

/** Latencies as a cell of the table. */
export function latencyCell({ p50Ms, p99Ms }: Pick<Figures, 'p50Ms' | 'p99Ms'>): string {
  return `p50 ${p50Ms.toFixed(1)}  p99 ${p99Ms.toFixed(1)} ms`;
}
