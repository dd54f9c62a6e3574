/** What sticks out of the window at its side, except what can be scrolled to, and text in a size that is not of the scale. */
import type { Page } from 'playwright-core';

/** In pixels, from `tokens.css`. */
const sizes = [11, 13, 15, 17, 20, 24];

export function outOfPlace(page: Page): Promise<string[]> {
  return page.evaluate(findOutOfPlace, sizes);
}

/** Runs in the page. Code, formulas and the marks of footnotes have the size of the text around them, or a part of it. */
function findOutOfPlace(allowed: readonly number[]): string[] {
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
