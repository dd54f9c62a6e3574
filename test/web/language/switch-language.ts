/** Shows an open page in another language at once, as when it is chosen in another tab. Pages that the service writes stay. */
import type { Page } from 'playwright-core';
import type { Language } from '../../../src/web/language/languages.js';

export async function switchLanguage(page: Page, language: Language): Promise<void> {
  await page.evaluate((chosen) => {
    localStorage.setItem('skein.language', chosen);
    dispatchEvent(new StorageEvent('storage', { key: 'skein.language' }));
  }, language);
  if ((await page.locator('#root').count()) > 0) await page.locator(`html[lang^="${language}"]`).waitFor();
}
