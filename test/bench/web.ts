/**
 * How the web application feels: what its first view loads, how soon the first token is seen, and whether the page stays smooth
 * while an answer streams. One browser, as the tests start it, and one service.
 */
import type { Page } from 'playwright-core';
import { hasBrowser } from '../web/chromium.js';
import type { Bench, BenchContext, Row } from './bench.js';
import { clockMs } from './measuring/clock.js';
import { quantile } from './measuring/statistics.js';
import { idle } from './stage/stage.js';
import { latencyCell } from './table.js';
import { measureFirstViews } from './web/first-view.js';
import { measureFrames } from './web/frames.js';
import { longAnswer } from './web/long-answer.js';
import { answered, askFor, openSite, type Site } from './web/site.js';

export const web: Bench = {
  name: 'web',
  summary: 'the web application: first view, first token, frames',
  async run(context) {
    if (!hasBrowser) return [{ what: 'all', ours: 'skipped: no chromium in PATH', baseline: '' }];
    const site = await openSite(context.stage);
    try {
      const threadId = await makeThread(site);
      const views = await measureFirstViews(context, site, threadId);
      const page = await site.context.newPage();
      await page.goto(`/threads/${threadId}`);
      const firstToken = await measureFirstToken(context, site, page);
      const frames = await measureFrames(context, site, page);
      await page.close();
      return [...views, firstToken, ...frames];
    } finally {
      await site.close();
    }
  },
};

const limitMs = 50;

/** From the model's write of the first token of an answer to its paint in the page that shows the conversation. */
async function measureFirstToken({ scale, progress }: BenchContext, site: Site, page: Page): Promise<Row> {
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

const turns = 4;
const tokensOfAnswer = 450;

/**
 * Makes a thread for the page to show, some turns as people and models write them, and waits until all is answered. Gives its id.
 */
async function makeThread({ service, model, person, databaseUrl }: Site): Promise<string> {
  const headers = { authorization: `Bearer ${person.token}`, 'content-type': 'application/json' };
  const post = async (path: string, text: string) => {
    const answer = await fetch(`${service.url}/api/v1${path}`, {
      method: 'POST',
      headers,
      body: JSON.stringify({ text }),
    });
    if (!answer.ok) throw new Error(`POST ${path} → ${answer.status} ${await answer.text()}`);
    const { thread_id: threadId } = (await answer.json()) as { thread_id: string };
    while ((await model.ask<number>('waiting')) === 0) await new Promise(setImmediate);
    await model.ask('speak');
    await idle(databaseUrl);
    return threadId;
  };
  await model.ask('schedule', { tokens: tokensOfAnswer, perSecond: 5000, words: longAnswer(tokensOfAnswer) });
  const threadId = await post('/threads', 'What is kept, and for how long?');
  for (let turn = 1; turn < turns; turn += 1) await post(`/threads/${threadId}/messages`, 'And then?');
  return threadId;
}
