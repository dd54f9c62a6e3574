/**
 * A picture of every page in four windows, light and dark, into the folder that `SCREENSHOTS` names:
 * `SCREENSHOTS=shots npx vitest run test/web/pages/screenshots.test.ts`. `LANGUAGE_OF_PAGES=ar` shows them in another language.
 */
import { join } from 'node:path';
import { describe, it } from 'vitest';
import { isLanguage } from '../../../src/web/language/languages.js';
import { colleagueOf, newcomer } from '../../support/threads.js';
import { hasBrowser, WebWorld } from '../browser.js';
import { switchLanguage } from '../language/switch-language.js';
import { stagePages } from './staged-pages.js';
import { windows } from './windows.js';

const folder = process.env['SCREENSHOTS'];
const language = process.env['LANGUAGE_OF_PAGES'] ?? 'en';

describe.skipIf(!hasBrowser || !folder)('screenshots (skipped: needs a browser, and a folder in SCREENSHOTS)', () => {
  it('takes a picture of every page', async () => {
    const world = await WebWorld.start({ environment: { AI_MODELS: 'compatible:small=Small and quick' } });
    for (const [size, view] of Object.entries(windows)) {
      // Of an organization of their own: the pages of a window leave threads behind, archived ones too.
      const admin = await colleagueOf(world.service, await newcomer(world.service), { role: 'admin' });
      const pages = await stagePages(world, admin);
      const [page, visitor] = [await world.signedIn(admin, view), await world.visitor(view)];
      for (const { name, isPublic, open, close } of pages) {
        const shown = isPublic ? visitor : page;
        await open(shown);
        if (isLanguage(language)) await switchLanguage(shown, language);
        for (const colorScheme of ['light', 'dark'] as const) {
          await shown.emulateMedia({ colorScheme });
          await shown.screenshot({ path: join(folder ?? '', `${name}-${size}-${colorScheme}.png`) });
        }
        if (isLanguage(language)) await switchLanguage(shown, 'en');
        await close?.(shown);
      }
    }
    await world.stop();
  }, 480_000);
});
