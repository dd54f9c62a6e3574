import type { Page } from 'playwright-core';
import { gate, text, wait } from '../../support/model/model-script.js';
import { newcomer } from '../../support/threads.js';
import type { WebWorld } from '../browser.js';
import { seen, startThread } from '../pages/pages.js';

/** A conversation whose answer says "Half" and does not end before the test opens the gate; in the page that is open, if any. */
export async function growingAnswer(
  world: WebWorld,
  open?: Page,
): Promise<{ page: Page; end: ReturnType<typeof gate> }> {
  const page = open ?? (await world.signedIn(await newcomer(world.service)));
  const end = gate();
  world.service.model.enqueue([text('Half'), wait(end.passed)]);
  await startThread(page, 'Hello');
  await seen(page, 'Half');
  return { page, end };
}
