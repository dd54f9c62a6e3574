/** A page that stays open for weeks: what it holds does not grow with what was shown in it. */
import type { CDPSession, Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { newcomer } from '../support/threads.js';
import { describeWeb } from './browser.js';
import { seen, threadList } from './pages/pages.js';

/** How many of them a page may keep. */
const mostKept = 10;
const threads = 14;
const rounds = 4;

describeWeb('a page that stays open', (world) => {
  it('holds the conversations that were open last, and no others', { timeout: 120_000 }, async () => {
    const person = await newcomer(world.service);
    for (let number = 0; number < threads; number += 1) await person.rest.readyThread({ text: `Thread ${number}.` });
    const page = await world.open(person, '/');
    for (let shown = 0; shown < rounds * threads; shown += 1) await show(page, `Thread ${shown % threads}.`);
    const session = await page.context().newCDPSession(page);
    await expect.poll(() => objectsWith(session, 'isOlderOpen'), { timeout: 30_000 }).toBeLessThan(3 * mostKept);
  });
});

async function show(page: Page, text: string): Promise<void> {
  await threadList(page).getByText(text, { exact: true }).click();
  await seen(page, text);
  await page.getByRole('button', { name: 'Good answer' }).waitFor({ state: 'attached' });
}

interface Snapshot {
  snapshot: { meta: { edge_fields: string[]; edge_types: [string[]] } };
  edges: number[];
  strings: string[];
}

/** How many objects on the heap have the property. */
async function objectsWith(session: CDPSession, property: string): Promise<number> {
  const chunks: string[] = [];
  const keep = ({ chunk }: { chunk: string }) => chunks.push(chunk);
  session.on('HeapProfiler.addHeapSnapshotChunk', keep);
  await session.send('HeapProfiler.collectGarbage');
  await session.send('HeapProfiler.takeHeapSnapshot');
  session.off('HeapProfiler.addHeapSnapshotChunk', keep);
  const { snapshot, edges, strings } = JSON.parse(chunks.join('')) as Snapshot;
  const { edge_fields: fields, edge_types: types } = snapshot.meta;
  const [type, name] = [types[0].indexOf('property'), strings.indexOf(property)];
  let count = 0;
  for (let at = 0; at < edges.length; at += fields.length) {
    if (edges[at] === type && edges[at + 1] === name) count += 1;
  }
  return count;
}
