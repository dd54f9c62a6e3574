/**
 * Every page in German, whose words are long, and in Arabic, which runs from the right: nothing sticks out of a phone, axe finds
 * nothing, and no English word is left, whatever is open when the language changes.
 */
import type { RunOptions } from 'axe-core';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { colleagueOf, newcomer } from '../../support/threads.js';
import { browserNote, hasBrowser, WebWorld } from '../browser.js';
import { violations } from '../pages/axe.js';
import { outOfPlace } from '../pages/out-of-place.js';
import { type StagedPage, stagePages } from '../pages/staged-pages.js';
import { windows } from '../pages/windows.js';
import { declaredTexts } from './source-texts.js';
import { switchLanguage } from './switch-language.js';

describe.skipIf(!hasBrowser)(`all pages in other languages${browserNote}`, () => {
  let world: WebWorld;
  let pages: StagedPage[];
  let page: Page;
  let visitor: Page;
  beforeAll(async () => {
    world = await WebWorld.start({ environment: { AI_MODELS: 'compatible:small=Small and quick' } });
    const person = await colleagueOf(world.service, await newcomer(world.service), { role: 'admin' });
    // A reason that was said stays in the language in which it was said.
    pages = (await stagePages(world, person)).filter(({ name }) => name !== 'sign-in-refused');
    [page, visitor] = [await world.signedIn(person, windows.phone), await world.visitor(windows.phone)];
  });
  afterAll(() => world.stop());

  it('fit a phone, give axe nothing to find, and have no English left', async () => {
    const findings: string[] = [];
    for (const { name, isPublic, open, close } of pages) {
      const shown = isPublic ? visitor : page;
      await open(shown);
      for (const language of ['de', 'ar'] as const) {
        await switchLanguage(shown, language);
        const found = [
          ...(await outOfPlace(shown)),
          ...(await violations(shown, sameColours)),
          ...(await englishLeft(shown)),
        ];
        findings.push(...found.map((what) => `${name}, ${language}: ${what}`));
      }
      await switchLanguage(shown, 'en');
      await close?.(shown);
    }
    expect(findings).toEqual([]);
  }, 240_000);
});

/** A language changes none. */
const sameColours: RunOptions = { rules: { 'color-contrast': { enabled: false } } };

const english = [...new Set(Object.values(declaredTexts()).flatMap((texts) => Object.values(texts)))]
  .flatMap((text) => (typeof text === 'string' ? text : []))
  // One word may be that of another language too, or of a message.
  .filter((text) => /\p{L} \p{L}/u.test(text));

function englishLeft(page: Page): Promise<string[]> {
  return page.evaluate((texts) => {
    const known = new Set(texts);
    const root = document.getElementById('root')?.parentElement;
    const elements = [...(root?.querySelectorAll('*') ?? [])];
    const said = elements.flatMap((element) => [
      ...['aria-label', 'title', 'placeholder'].map((name) => element.getAttribute(name) ?? ''),
      ...[...element.childNodes].filter(({ nodeType }) => nodeType === 3).map(({ textContent }) => textContent ?? ''),
    ]);
    return [...new Set(said.filter((words) => known.has(words.trim())))].map((words) => `English: ${words}`);
  }, english);
}
