import { expect, vi } from 'vitest';
import { housekeepingSteps } from '../../src/process/housekeeping.js';
import type { TestService } from './service.js';

/**
 * Waits until the service has cleaned for the first time, which it does as soon as it runs, and not again while a test lasts: on a
 * busy machine it would delete what a test stages as due, before or while the test deletes it.
 */
export async function firstHousekeeping({ url }: TestService): Promise<void> {
  const last = housekeepingSteps.at(-1)?.name;
  const hasEnded = new RegExp(`^skein_housekeeping_last_success_timestamp_seconds\\{step="${last}"\\} [1-9]`, 'm');
  await vi.waitFor(async () => expect(await (await fetch(`${url}/metrics`)).text()).toMatch(hasEnded), {
    timeout: 30_000,
  });
}
