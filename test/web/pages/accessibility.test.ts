/**
 * axe finds no problem, not even a moderate or minor one, on any page in any of its states, in both themes, in a wide window
 * and on a phone. A page is opened once for each width and checked twice: by all rules in the first theme, and in the other one
 * by those about colours, since a theme changes nothing else. A phone has the colours of a wide window, and shows the other
 * theme in the project `stress` only.
 */
import type { RunOptions } from 'axe-core';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isStress } from '../../support/case-counts.js';
import { colleagueOf, newcomer } from '../../support/threads.js';
import { browserNote, hasBrowser, type View, WebWorld } from '../browser.js';
import { violations } from './axe.js';
import { type StagedPage, stagePages } from './staged-pages.js';

const colourRules: RunOptions = { runOnly: ['color-contrast', 'link-in-text-block'] };

const views: Record<string, View> = {
  'a wide window': {},
  'a phone': { width: 360, height: 740, isTouch: true },
};

describe.skipIf(!hasBrowser)(`accessibility${browserNote}`, () => {
  let world: WebWorld;
  let pages: StagedPage[];
  const browsers = new Map<string, { page: Page; visitor: Page }>();
  beforeAll(async () => {
    // Several, so that the choice is on the pages too.
    world = await WebWorld.start({ environment: { AI_MODELS: 'compatible:small=Small and quick' } });
    const person = await colleagueOf(world.service, await newcomer(world.service), { role: 'admin' });
    pages = await stagePages(world, person);
    for (const [name, view] of Object.entries(views)) {
      browsers.set(name, { page: await world.signedIn(person, view), visitor: await world.visitor(view) });
    }
  });
  afterAll(() => world.stop());

  // At the same time, since most of it is waiting for pages.
  it.concurrent.each(Object.keys(views))(
    'has nothing to find on %s',
    async (view) => {
      const findings: string[] = [];
      for (const { name, isPublic, open, close } of pages) {
        const shown = browsers.get(view)?.[isPublic ? 'visitor' : 'page'];
        if (!shown) throw new Error(`There is no browser for ${view}.`);
        await shown.emulateMedia({ colorScheme: 'light' });
        await open(shown);
        findings.push(...(await violations(shown, {})).map((finding) => `${name}, light: ${finding}`));
        if (view === 'a wide window' || isStress) {
          await shown.emulateMedia({ colorScheme: 'dark' });
          findings.push(...(await violations(shown, colourRules)).map((finding) => `${name}, dark: ${finding}`));
        }
        await close?.(shown);
      }
      expect(findings).toEqual([]);
    },
    240_000,
  );
});
