/** What of a page does not fit its window: nothing may stick out at its side, and all text has one of the sizes of the scale. */
import type { Page } from 'playwright-core';
import { windows } from './windows.js';

/** In pixels, from `tokens.css`. */
const sizes = [11, 13, 15, 17, 20, 24];

/** Looks at the page that is open in each of the windows, one after another, and leaves it in the last one. */
export async function findOutOfPlace(page: Page): Promise<string[]> {
  const findings: string[] = [];
  for (const [name, { width, height }] of Object.entries(windows)) {
    await page.setViewportSize({ width, height });
    await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))');
    const found = await page.evaluate(outOfPlace, sizes);
    findings.push(...found.map((what) => `${name}: ${what}`));
  }
  return findings;
}

/** Runs in the page. Code, formulas and the marks of footnotes have the size of the text around them, or a part of it. */
function outOfPlace(allowed: readonly number[]): string[] {
  const found: string[] = [];
  const nameOf = (element: Element) => `${element.tagName.toLowerCase()}.${element.className}`;
  const isKept = (element: Element): boolean => {
    const parent = element.parentElement;
    if (!parent) return false;
    const { overflowX, position } = getComputedStyle(parent);
    return (overflowX !== 'visible' && position !== 'fixed') || isKept(parent);
  };
  if (document.documentElement.scrollWidth > innerWidth) found.push('the page can be scrolled sideways');
  for (const element of document.body.querySelectorAll('*')) {
    const box = element.getBoundingClientRect();
    if (box.width === 0 || !element.checkVisibility()) continue;
    const isOut = box.right > innerWidth + 1 || box.left < -1;
    if (isOut && !isKept(element)) found.push(`${nameOf(element)} sticks out`);
    const hasText = [...element.childNodes].some((node) => node.nodeType === 3 && node.textContent?.trim());
    if (!hasText || element.closest('code, pre, math, sup, option, .visually-hidden')) continue;
    const size = Number.parseFloat(getComputedStyle(element).fontSize);
    if (!allowed.some((one) => Math.abs(one - size) < 0.05)) found.push(`${nameOf(element)} has ${size} pixels`);
  }
  return [...new Set(found)];
}
