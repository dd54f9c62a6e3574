/** How much of a page is styled again by a change of a small part of it. */
import type { Page } from 'playwright-core';

interface TraceEvent {
  name: string;
  args: { elementCount?: number };
}

/** The most elements that the browser styled at once while `act` ran. */
export async function mostRestyled(page: Page, act: () => Promise<unknown>): Promise<number> {
  const browser = page.context().browser();
  if (!browser) throw new Error('The page has no browser that could be traced');
  let trace: Buffer;
  await browser.startTracing(page, { categories: ['devtools.timeline'] });
  try {
    await act();
  } finally {
    trace = await browser.stopTracing();
  }
  const { traceEvents } = JSON.parse(trace.toString()) as { traceEvents: TraceEvent[] };
  const counts = traceEvents.flatMap(({ name, args }) => (name === 'UpdateLayoutTree' ? [args.elementCount ?? 0] : []));
  if (counts.length === 0) throw new Error('Nothing was styled');
  return Math.max(...counts);
}
