/** A connection that breaks in the middle of a word: the conversation goes on where it was, with nothing twice. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DroppingProxy } from '../support/dropping-proxy.js';
import { gate, text, wait } from '../support/model-script.js';
import { newcomer } from '../support/threads.js';
import { browserNote, hasBrowser, WebWorld } from './browser.js';
import { answered, answers, seen, startThread } from './pages.js';

describe.skipIf(!hasBrowser)(`a network that fails${browserNote}`, () => {
  let world: WebWorld;
  beforeAll(async () => {
    world = await WebWorld.start();
  });
  afterAll(() => world.stop());

  it('goes on in the middle of a word when the connection is back', async () => {
    const proxy = await DroppingProxy.start(world.service.url);
    const page = await world.signedIn(await newcomer(world.service), { url: proxy.origin });
    const [before, after] = [gate(), gate()];
    world.service.model.enqueue([
      text('One two th'),
      wait(before.passed),
      text('ree fo'),
      wait(after.passed),
      text('ur'),
    ]);
    await startThread(page, 'Count');
    await seen(page, 'One two th');
    proxy.goDown();
    await page.getByText('Connection lost').waitFor();
    before.open();
    proxy.comeBack();
    await seen(page, 'One two three fo');
    expect(await answers(page).locator('.rich').innerText()).toBe('One two three fo');
    await page.getByText('Connection lost').waitFor({ state: 'detached' });
    after.open();
    await answered(page);
    expect(await answers(page).locator('.rich').innerText()).toBe('One two three four');
    await page.context().close();
    await proxy.close();
  });
});
