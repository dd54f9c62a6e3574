/** Where the focus of the keyboard is, for whoever must see that it never gets lost. */
import type { Page } from 'playwright-core';
import { expect, vi } from 'vitest';

interface Focus {
  name: string;
  /** False where nobody could see that it is there. */
  isMarked: boolean;
}

/** The field of a message is marked by the frame around it, which also holds its buttons. */
const focus = `(() => {
  const element = document.activeElement;
  if (!element || element === document.body) return { name: 'nothing', isMarked: false };
  const name = element.getAttribute('aria-label') ?? element.labels?.[0]?.innerText ?? element.innerText;
  const { outlineStyle, boxShadow } = getComputedStyle(element.matches('.composer textarea') ? element.parentElement : element);
  const { top, bottom, left, right } = element.getBoundingClientRect();
  const isInSight = bottom > top && top >= 0 && bottom <= innerHeight && left >= 0 && right <= innerWidth;
  return { name: name.split('\\n')[0], isMarked: isInSight && (outlineStyle !== 'none' || boxShadow !== 'none') };
})()`;

/** Waits until what has this name has the focus, and is seen to have it. */
export async function focused(page: Page, name: string): Promise<void> {
  await vi.waitFor(async () => expect(await page.evaluate(focus)).toEqual({ name, isMarked: true }), {
    timeout: 25_000,
  });
}

/** Goes on by Tab to what has this name, and sees on the way that the focus is never lost. */
export async function tabTo(page: Page, name: string): Promise<void> {
  const passed: string[] = [];
  while (passed.at(-1) !== name && passed.length < 30) {
    await page.keyboard.press('Tab');
    const now = (await page.evaluate(focus)) as Focus;
    expect(now, `after ${passed.join(', ')}`).toEqual({ name: now.name, isMarked: true });
    passed.push(now.name);
  }
  expect(passed).toContain(name);
}
