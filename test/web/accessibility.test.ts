/** What axe can find on each page, in both themes and on a phone: nothing serious. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AxeResults } from 'axe-core';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { colleagueOf, newcomer } from '../support/threads.js';
import { browserNote, hasBrowser, type View, WebWorld } from './browser.js';
import { type StagedPage, stagePages } from './staged-pages.js';

const axe = createRequire(import.meta.url).resolve('axe-core/axe.min.js');

const views: readonly [string, View][] = [
  ['a wide window, light', {}],
  ['a phone, dark', { width: 360, height: 740, dark: true }],
];

describe.skipIf(!hasBrowser)(`accessibility${browserNote}`, () => {
  let world: WebWorld;
  let pages: StagedPage[];
  let person: Awaited<ReturnType<typeof newcomer>>;
  beforeAll(async () => {
    world = await WebWorld.start();
    person = await colleagueOf(world.service, await newcomer(world.service), { role: 'admin' });
    pages = await stagePages(world, person);
  });
  afterAll(() => world.stop());

  it.each(views)(
    'has nothing serious on %s',
    async (_name, view) => {
      const [page, visitor] = [await world.signedIn(person, view), await world.visitor(view)];
      const findings: string[] = [];
      for (const staged of pages) {
        const shown = staged.isPublic ? visitor : page;
        await staged.open(shown);
        findings.push(...(await serious(shown)).map((finding) => `${staged.name}: ${finding}`));
      }
      expect(findings).toEqual([]);
    },
    120_000,
  );
});

async function serious(page: Page): Promise<string[]> {
  // The policy of the page lets no other script in; the inspector is not bound by it.
  await page.evaluate(readFileSync(axe, 'utf8'));
  const results = (await page.evaluate('axe.run()')) as AxeResults;
  return results.violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) => nodes.map(({ html, failureSummary }) => `${id}: ${html} ${failureSummary}`));
}
