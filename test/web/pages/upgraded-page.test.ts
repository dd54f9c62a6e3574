/** An open page whose files an upgrade has replaced: it says so, and offers to reload. */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { gate, text, wait } from '../../support/model/model-script.js';
import { DroppingProxy } from '../../support/network/dropping-proxy.js';
import type { Person } from '../../support/service.js';
import { newcomer } from '../../support/threads.js';
import { browserNote, hasBrowser, WebWorld } from '../browser.js';
import { drawn, openList } from '../conversation/held-answers.js';
import { answered, composer, seen, write } from './pages.js';
import { UpgradedBuild } from './upgraded-build.js';

// Each test loads pages again and again, which takes half a minute on an idle machine.
describe.skipIf(!hasBrowser)(`an open page after an upgrade${browserNote}`, { timeout: 300_000 }, () => {
  let world: WebWorld;
  let build: UpgradedBuild;
  let proxy: DroppingProxy;
  beforeAll(async () => {
    build = await UpgradedBuild.copy();
    world = await WebWorld.start({ settings: { webFolder: build.folder } });
    proxy = await DroppingProxy.start(world.service.url);
  });
  afterAll(async () => {
    await proxy.close();
    await world.stop();
  });

  it('says nothing where nothing has changed, and otherwise offers to reload, which turns a queued message into a draft', async () => {
    const page = await conversation();
    const asked = page.waitForResponse((response) => new URL(response.url()).pathname === '/');
    await reconnect(page);
    await (await asked).finished();
    await drawn(page);
    expect(await page.getByText('Skein was updated.').count()).toBe(0);
    const end = gate();
    world.service.model.enqueue([text('One'), wait(end.passed)]);
    await write(page, 'Count');
    await seen(page, 'One');
    await write(page, 'Go on');
    await page.getByRole('button', { name: 'Wait, then send' }).click();
    await build.upgrade();
    await reconnect(page);
    await reload(page, 'Skein was updated.');
    await expect.poll(() => composer(page).inputValue()).toBe('Go on');
    end.open();
    await answered(page);
    await page.context().close();
  });

  it('offers to reload when a menu or a page does not load', async () => {
    const page = await conversation();
    await upgrade();
    await openMenu(page);
    await reload(page, 'Skein was updated.');
    await seen(page, 'Hello');
    await openMenu(page);
    await page.getByRole('menuitem', { name: 'Rename' }).waitFor();
    await page.keyboard.press('Escape');
    await upgrade();
    await page.getByRole('link', { name: 'Settings' }).click();
    await reload(page, 'Skein was updated.');
    await page.getByRole('heading', { name: 'Settings' }).waitFor();
    await page.route(/palette-.*\.js$/, (route) => route.fulfill({ status: 404, body: '' }));
    await page.keyboard.press('Control+k');
    await reload(page, 'A part of this page did not load.');
    await page.context().close();
  });

  it('shows a part with its style although that did not load at first, nor when it was requested again', async () => {
    const page = await open('/');
    await page.route(/menu-[^/]*\.css$/, (route) => route.abort(), { times: 2 });
    const failed = page.waitForEvent('requestfailed', (request) => request.url().endsWith('.css'));
    await page.getByRole('button', { name: 'Filter by tag' }).click();
    await failed;
    const menu = page.getByRole('menu');
    await menu.waitFor();
    expect(await menu.evaluate((element) => getComputedStyle(element).backgroundColor)).not.toBe('rgba(0, 0, 0, 0)');
    await page.context().close();
  });

  it.each(['js', 'css'])(
    'loads again when its first file (%s) did not load, and the service is there',
    async (ending) => {
      const page = await world.signedIn(await newcomer(world.service), { url: proxy.origin });
      await page.clock.install();
      const isFirst = new RegExp(`/assets/[\\w-]*index-[\\w-]+\\.${ending}$`);
      await page.route(isFirst, (route) => route.fulfill({ status: 404, body: '' }), { times: 1 });
      await page.goto('/');
      await mark(page);
      proxy.goDown();
      const failed = page.waitForEvent('requestfailed', (request) => new URL(request.url()).pathname === '/');
      await page.clock.fastForward(10_000);
      await failed;
      expect(await isOriginal(page)).toBe(true);
      proxy.comeBack();
      const hasReturned = async () => {
        await page.clock.fastForward(10_000).catch(() => undefined);
        return !(await isOriginal(page).catch(() => true));
      };
      await expect.poll(hasReturned).toBe(true);
      await page.getByRole('navigation', { name: 'Threads' }).waitFor();
      await page.context().close();
    },
  );

  /** A page at the path, whose list is live. */
  async function open(path: string, person?: Person): Promise<Page> {
    const page = await world.signedIn(person ?? (await newcomer(world.service)), { url: proxy.origin });
    await page.clock.install();
    await openList(page, path);
    await mark(page);
    return page;
  }

  async function conversation(): Promise<Page> {
    const person = await newcomer(world.service);
    const { threadId } = await person.rest.readyThread({ text: 'Hello' });
    const page = await open(`/threads/${threadId}`, person);
    await answered(page);
    return page;
  }

  async function upgrade(): Promise<void> {
    await build.upgrade();
    // The service forgets the files of before when it is asked for its page.
    await (await fetch(world.service.url, { headers: { accept: 'text/html' } })).text();
  }

  async function reconnect(page: Page): Promise<void> {
    proxy.goDown();
    await page.getByText('Connection lost').waitFor();
    proxy.comeBack();
    await page.getByText('Connection lost').waitFor({ state: 'detached' });
  }
});

function openMenu(page: Page): Promise<void> {
  return page.getByRole('button', { name: 'Actions for this thread' }).click();
}

/** Makes this load of the page known from a later one. */
async function mark(page: Page): Promise<void> {
  await page.evaluate('window.isOriginal = true');
}

async function isOriginal(page: Page): Promise<boolean> {
  return (await page.evaluate('window.isOriginal === true')) as boolean;
}

async function reload(page: Page, reason: string): Promise<void> {
  await page.getByText(reason).waitFor();
  await page.getByRole('button', { name: 'Reload' }).click();
  await expect.poll(() => isOriginal(page).catch(() => true)).toBe(false);
  await page.getByRole('navigation', { name: 'Threads' }).waitFor();
  await mark(page);
}
