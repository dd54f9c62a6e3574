/** English texts of the application that are on a page although another language was chosen. */
import type { Page } from 'playwright-core';
import { declaredTexts } from './source-texts.js';

const english = [...new Set(Object.values(declaredTexts()).flatMap((texts) => Object.values(texts)))]
  .flatMap((text) => (typeof text === 'string' ? text : []))
  // One word may be that of another language too, or of a message.
  .filter((text) => /\p{L} \p{L}/u.test(text));

export function englishLeft(page: Page): Promise<string[]> {
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
