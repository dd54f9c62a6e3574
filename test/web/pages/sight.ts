/** What of a conversation is in sight, and where: for whoever must see that nothing moves. */
import type { Page } from 'playwright-core';

export interface Sight {
  height: number;
  /** Where the messages in sight stand, in pixels from the top of the window. */
  rows: Record<string, number>;
}

const sight = `(() => {
  const scroller = document.querySelector('.messages-scroll');
  const { top, bottom } = scroller.getBoundingClientRect();
  const rows = [...scroller.querySelectorAll('article[id]')].map((row) => [row.id, row.getBoundingClientRect()]);
  const inSight = rows.filter(([, box]) => box.bottom > top && box.top < bottom);
  return { height: scroller.scrollHeight, rows: Object.fromEntries(inSight.map(([id, box]) => [id, box.top])) };
})()`;

/** What is in sight once nothing moves any more. */
export async function settledSight(page: Page): Promise<Sight> {
  const frame = 'new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))';
  let now = (await page.evaluate(sight)) as Sight;
  for (let same = 0; same < 10; ) {
    await page.evaluate(frame);
    const next = (await page.evaluate(sight)) as Sight;
    same = JSON.stringify(next) === JSON.stringify(now) ? same + 1 : 0;
    now = next;
  }
  return now;
}

/** The messages in sight that are gone, or stand elsewhere. A browser scrolls in whole pixels. */
export function movedRows(before: Sight, after: Sight): string[] {
  return Object.entries(before.rows).flatMap(([id, top]) => {
    const now = after.rows[id];
    return now !== undefined && Math.abs(now - top) <= 1 ? [] : [`${id}: from ${top} to ${now ?? 'out of sight'}`];
  });
}
