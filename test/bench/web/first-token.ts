/** From the model's write of the first token of an answer to its paint in the page that shows the conversation. */
import type { Page } from 'playwright-core';
import type { BenchContext, Row } from '../bench.js';
import { latencyCell } from '../cells.js';
import { clockMs } from '../measuring/clock.js';
import { quantile } from '../measuring/statistics.js';
import { answered, askFor, type Site } from './site.js';

const limitMs = 50;

export async function measureFirstToken({ scale, progress }: BenchContext, site: Site, page: Page): Promise<Row> {
  progress(`the first tokens of ${scale.web.answers} answers`);
  const offsetMs = await clockOffsetMs(page);
  const latenciesMs: number[] = [];
  for (let asked = 0; asked < scale.web.answers; asked += 1) {
    await askFor(site, page, { tokens: 3, perSecond: 10 });
    // It looks out before the model speaks, and is asked for what it saw afterwards.
    await page.evaluate("void (globalThis.painting = probe.painted('^[0-9.]+(?=;)'))");
    await site.model.ask('speak');
    const { words, atMs } = await page.evaluate<{ words: string; atMs: number }>('painting');
    latenciesMs.push(atMs + offsetMs - Number(words));
    await answered(page);
  }
  const figures = { p50Ms: quantile(latenciesMs, 0.5), p99Ms: quantile(latenciesMs, 0.99) };
  const what = 'first token, write → pixels (p50)';
  return { what, ours: latencyCell(figures), baseline: '', measured: figures.p50Ms, limit: limitMs };
}

/** What the page's clock is behind this process's: as the quickest of some questions saw it, to half of its time. */
async function clockOffsetMs(page: Page): Promise<number> {
  let best = { tookMs: Number.POSITIVE_INFINITY, offsetMs: 0 };
  for (let tries = 0; tries < 30; tries += 1) {
    const startMs = clockMs();
    const pageMs = await page.evaluate<number>('probe.now()');
    const tookMs = clockMs() - startMs;
    if (tookMs < best.tookMs) best = { tookMs, offsetMs: startMs + tookMs / 2 - pageMs };
  }
  return best.offsetMs;
}
