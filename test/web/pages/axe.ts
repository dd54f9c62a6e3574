/** What axe finds on a page. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AxeResults, RunOptions } from 'axe-core';
import type { Page } from 'playwright-core';

declare const axe: { run(options: RunOptions): Promise<AxeResults> };

const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Only what was found leaves the page: axe also describes each element that passed. */
export async function violations(page: Page, options: RunOptions = {}): Promise<string[]> {
  // The policy of the page lets no other script in; the inspector is not bound by it.
  if (!(await page.evaluate("'axe' in window"))) await page.evaluate(source);
  return page.evaluate(
    async (chosen) =>
      (await axe.run({ ...chosen, resultTypes: ['violations'] })).violations.flatMap(({ id, nodes }) =>
        nodes.map(({ html, failureSummary }) => `${id}: ${html} ${failureSummary}`),
      ),
    options,
  );
}
