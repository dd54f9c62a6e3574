/** Puts the words of the page into elements of its own, as the translation of Chrome does, which React knows nothing of. */
import type { Page } from 'playwright-core';

export function translateByBrowser(page: Page): Promise<unknown> {
  return page.evaluate(() => {
    const all = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const words: Text[] = [];
    while (all.nextNode()) words.push(all.currentNode as Text);
    for (const text of words.filter(({ parentElement }) => !parentElement?.closest('[translate=no]'))) {
      const translated = document.createElement('font');
      translated.textContent = text.data;
      text.replaceWith(translated);
    }
  });
}
