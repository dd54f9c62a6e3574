/** An open page whose files an upgrade has replaced: it says so, and loads again when nothing that was typed would be lost. */
import type { Page, Request } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { gate, text, wait } from '../../support/model/model-script.js';
import { DroppingProxy } from '../../support/network/dropping-proxy.js';
import type { Person } from '../../support/service.js';
import { newcomer } from '../../support/threads.js';
import { browserNote, hasBrowser, WebWorld } from '../browser.js';
import { drawn, HeldAnswers, openList } from '../conversation/held-answers.js';
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

  it('waits for a draft, a message on its way or in the queue, a file that is fetched, and the new files; says nothing where nothing has changed', async () => {
    const page = await conversation();
    const asked = page.waitForResponse((response) => new URL(response.url()).pathname === '/');
    await reconnect(page);
    await (await asked).finished();
    await stays(page);
    expect(await page.getByText('Skein was updated.').count()).toBe(0);
    await keepsDraft(page);
    await keepsSending(page);
    await keepsQueued(page);
    await keepsDownload(page);
    await waitsForFiles(page);
    await page.context().close();
  });

  /** Somebody finishes the message that they are writing, and has it after the page has loaded again. */
  async function keepsDraft(page: Page): Promise<void> {
    await composer(page).fill('Half a sent');
    await outdated(page);
    await stays(page);
    await composer(page).pressSequentially('ence');
    await composer(page).blur();
    await reloaded(page);
    await expect.poll(() => composer(page).inputValue()).toBe('Half a sentence');
  }

  async function keepsSending(page: Page): Promise<void> {
    const sending = await HeldAnswers.of(page, { operation: 'SendMessage' });
    await composer(page).fill('On its way');
    await composer(page).press('Enter');
    await sending.waitFor(1);
    await outdated(page);
    await stays(page);
    sending.end();
    await reloaded(page);
    await seen(page, 'On its way');
    await answered(page);
  }

  async function keepsQueued(page: Page): Promise<void> {
    const end = gate();
    world.service.model.enqueue([text('One'), wait(end.passed)], [text('Two')]);
    await write(page, 'Count');
    await seen(page, 'One');
    await write(page, 'Go on');
    await page.getByRole('button', { name: 'Wait, then send' }).click();
    await outdated(page);
    await stays(page);
    end.open();
    await reloaded(page);
    await seen(page, 'Two');
    await answered(page);
  }

  async function keepsDownload(page: Page): Promise<void> {
    const pages = await HeldAnswers.of(page, { operation: 'Messages' });
    await openMenu(page);
    await page.getByRole('menuitem', { name: 'Download as Markdown' }).click();
    await pages.waitFor(1);
    await outdated(page);
    await stays(page);
    const saved = page.waitForEvent('download');
    pages.end();
    await saved;
    await reloaded(page);
  }

  async function waitsForFiles(page: Page): Promise<void> {
    const newScript = /\/assets\/new-[\w-]*index-[\w-]+\.js$/;
    await page.route(newScript, (route) => route.fulfill({ status: 404, body: '' }));
    const asked = page.waitForResponse(newScript);
    await outdated(page);
    await page.clock.fastForward(3_000);
    expect((await asked).status()).toBe(404);
    await drawn(page);
    expect(await isOriginal(page)).toBe(true);
    await page.unroute(newScript);
    await reloaded(page);
  }

  it('loads again for a menu or a page that is gone, and drops neither a text that is stored nowhere nor a token that is shown only once', async () => {
    const page = await conversation();
    await upgrade();
    const notice = page.getByText('Skein was updated.').waitFor();
    await openMenu(page);
    await notice;
    await reloaded(page);
    await seen(page, 'Hello');
    await openMenu(page);
    await page.getByRole('menuitem', { name: 'Rename' }).waitFor();
    await page.keyboard.press('Escape');
    await upgrade();
    await page.getByRole('link', { name: 'Settings' }).click();
    await page.getByText('Skein was updated.').waitFor();
    await reloaded(page);
    await page.getByRole('heading', { name: 'Settings' }).waitFor();
    await page.getByRole('link', { name: 'API tokens' }).click();
    const name = page.getByRole('textbox', { name: 'Name' });
    await name.fill('Nightly report');
    await outdated(page);
    await stays(page);
    expect(await name.inputValue()).toBe('Nightly report');
    await name.fill('');
    await reloaded(page);
    await name.fill('Nightly report');
    await page.getByRole('button', { name: 'Create token' }).click();
    await page.getByText(/^skn_pat_/).waitFor();
    await outdated(page);
    await stays(page);
    await page.getByRole('button', { name: 'I have copied it' }).click();
    await reloaded(page);
    await page.context().close();
  });

  it('loads again by itself only once where that does not help, and then leaves it to the person', async () => {
    const page = await open('/');
    await page.route(/palette-.*\.js$/, (route) => route.fulfill({ status: 404, body: '' }));
    const failed = () => page.getByText('A part of this page did not load.').waitFor();
    const notice = failed();
    await page.keyboard.press('Control+k');
    await notice;
    await reloaded(page);
    await page.keyboard.press('Control+k');
    await failed();
    await stays(page);
    await page.getByRole('button', { name: 'Reload' }).click();
    await reloaded(page);
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

  /** Lets the page learn of an upgrade. */
  async function outdated(page: Page): Promise<void> {
    await upgrade();
    await reconnect(page);
    await page.getByText('Skein was updated.').waitFor();
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

/** Lets time pass. The page does not even ask for what it would load, as it does before it loads itself again. */
async function stays(page: Page): Promise<void> {
  const asked: string[] = [];
  page.on('request', (request) => asked.push(new URL(request.url()).pathname));
  await page.clock.fastForward(60_000);
  await page.evaluate("fetch('/healthz').then((answer) => answer.text())");
  expect(asked).toContain('/healthz');
  expect(asked).not.toContain('/');
}

/** Waits until the page has been loaded again, once it may, and its list is live. */
async function reloaded(page: Page): Promise<void> {
  let loads = 0;
  const begin = (request: Request) => {
    if (request.isNavigationRequest()) loads = 0;
  };
  const count = (request: Request) => {
    if (request.postData()?.includes('query Threads')) loads += 1;
  };
  page.on('request', begin).on('requestfinished', count);
  // Past the time in which the notice can be read, unless that is over already, and the page is being loaded.
  await page.clock.fastForward(3_000).catch(() => undefined);
  await expect.poll(() => isOriginal(page).catch(() => true)).toBe(false);
  await page.getByRole('navigation', { name: 'Threads' }).waitFor();
  await expect.poll(() => loads).toBeGreaterThanOrEqual(2);
  page.off('request', begin).off('requestfinished', count);
  await mark(page);
}
