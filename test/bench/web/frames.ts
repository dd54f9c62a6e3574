/**
 * The frames of a page while a long answer streams into it, and what its main thread has to do for that. Where other work
 * waits for the processors, frames are late because of it; how much processor time the main thread used, stays as it was.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { CDPSession, Page } from 'playwright-core';
import type { BenchContext, Row } from '../bench.js';
import { median } from '../measuring/statistics.js';
import { longAnswer } from './long-answer.js';
import { answered, askFor, type Site } from './site.js';

const leastFrames = 50;
/** Half of the time is left for whoever scrolls and writes. */
const mostBusyMs = 500;
const emptySeconds = 5;

interface Measured {
  /** Of each second. */
  frames: number[];
  /** Of each second or so: what the main thread was busy with, in milliseconds of processor time a second. */
  busy: Busy[];
}

interface Busy {
  all: number;
  script: number;
  layout: number;
  style: number;
}

export async function measureFrames({ scale, progress }: BenchContext, site: Site, page: Page): Promise<Row[]> {
  const { tokens, perSecond } = scale.web;
  const seconds = Math.max(1, Math.floor(tokens / perSecond));
  progress('frames of an empty page');
  const empty = await site.context.newPage();
  const baseline = await watch(empty, Math.min(emptySeconds, seconds));
  await empty.close();
  progress(`frames at ${perSecond} tokens/s for ${seconds} s`);
  await page.bringToFront();
  await askFor(site, page, { tokens, perSecond, words: longAnswer(tokens) });
  await site.model.ask('speak');
  const ours = await watch(page, seconds);
  await answered(page);
  return [
    {
      what: `frames a second at ${perSecond} tokens/s`,
      ours: framesCell(ours),
      baseline: framesCell(baseline),
      measured: Math.min(...ours.frames),
      unit: 'frames',
      least: leastFrames,
    },
    {
      what: 'the main thread then',
      ours: busyCell(ours),
      baseline: busyCell(baseline),
      measured: mean(ours.busy, 'all'),
      unit: 'ms/s',
      limit: mostBusyMs,
    },
  ];
}

async function watch(page: Page, seconds: number): Promise<Measured> {
  const session = await page.context().newCDPSession(page);
  await session.send('Performance.enable', { timeDomain: 'threadTicks' });
  const counted = page.evaluate<number[]>(`probe.frames(${seconds})`);
  const readings = [await read(session)];
  for (let second = 0; second < seconds; second += 1) {
    await sleep(1000);
    readings.push(await read(session));
  }
  const frames = await counted;
  await session.detach();
  return { frames, busy: readings.slice(1).map((now, index) => between(readings[index] ?? now, now)) };
}

interface Reading extends Busy {
  atMs: number;
}

/** All since the page was opened. */
async function read(session: CDPSession): Promise<Reading> {
  const { metrics } = await session.send('Performance.getMetrics');
  const msOf = (metric: string) => (metrics.find(({ name }) => name === metric)?.value ?? Number.NaN) * 1000;
  return {
    atMs: performance.now(),
    all: msOf('TaskDuration'),
    script: msOf('ScriptDuration'),
    layout: msOf('LayoutDuration'),
    style: msOf('RecalcStyleDuration'),
  };
}

function between(before: Reading, after: Reading): Busy {
  const seconds = (after.atMs - before.atMs) / 1000;
  const rate = (name: keyof Busy) => (after[name] - before[name]) / seconds;
  return { all: rate('all'), script: rate('script'), layout: rate('layout'), style: rate('style') };
}

function mean(busy: readonly Busy[], name: keyof Busy): number {
  return busy.reduce((sum, second) => sum + second[name], 0) / busy.length;
}

function framesCell({ frames }: Measured): string {
  return `min ${Math.min(...frames)}  median ${median(frames)} frames/s`;
}

function busyCell({ busy }: Measured): string {
  const [all, script, layout, style] = (['all', 'script', 'layout', 'style'] as const).map((name) =>
    mean(busy, name).toFixed(0),
  );
  const most = Math.max(...busy.map((second) => second.all)).toFixed(0);
  return `busy ${all} ms/s, most ${most} (script ${script}, layout ${layout}, style ${style})`;
}
