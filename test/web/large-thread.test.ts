/** A thread of 5,000 messages: only what is in sight is in the page, wherever one scrolls. */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createId } from '../../src/ids.js';
import { newcomer } from '../support/threads.js';
import { browserNote, hasBrowser, WebWorld } from './browser.js';
import { answered, seen } from './pages.js';

const count = 5000;

describe.skipIf(!hasBrowser)(`a thread of ${count} messages in the browser${browserNote}`, () => {
  let world: WebWorld;
  beforeAll(async () => {
    world = await WebWorld.start();
  });
  afterAll(() => world.stop());

  it('opens at its end, and scrolls to its beginning with few messages in the page', async () => {
    const person = await newcomer(world.service);
    const { threadId } = await person.rest.readyThread({ text: 'The first message' });
    await addMessages(threadId, count);
    const page = await world.signedIn(person);
    await page.goto(`/threads/${threadId}`);
    await seen(page, `Message number ${count - 1}.`);
    await answered(page);
    expect(await shown(page)).toBeLessThan(60);
    await page.evaluate("document.querySelector('.messages-scroll').scrollTo(0, 0)");
    await seen(page, 'The first message');
    expect(await shown(page)).toBeLessThan(60);
    await page.getByRole('button', { name: 'Go to the newest message' }).click();
    await seen(page, `Message number ${count - 1}.`);
  }, 90_000);

  const addMessages = async (threadId: string, total: number) => {
    const { database } = world.service.service;
    const { sequence } = await database.message.findFirstOrThrow({
      where: { threadId },
      orderBy: { sequence: 'desc' },
    });
    const createdAt = new Date();
    const data = Array.from({ length: total }, (_, index) => ({
      id: createId('msg'),
      threadId,
      sequence: sequence + 2 * (index + 1),
      role: index % 2 === 0 ? ('user' as const) : ('assistant' as const),
      contents: [{ type: 'text', text: `Message number ${index}. ${'Some more words. '.repeat(index % 30)}` }],
      createdAt,
    }));
    await database.message.createMany({ data });
  };
});

function shown(page: Page): Promise<number> {
  return page.getByRole('article').count();
}
