/** Writing on a phone: what takes a key elsewhere, a new line, sending and stopping, can be done with a finger. */
import type { Locator, Page } from 'playwright-core';
import { beforeAll, expect, it } from 'vitest';
import { gate, text, wait } from '../../support/model/model-script.js';
import { DroppingProxy } from '../../support/network/dropping-proxy.js';
import { addThread, newcomer } from '../../support/threads.js';
import { describeWeb, type View } from '../browser.js';
import { focused } from '../focus.js';
import { outOfPlace } from './out-of-place.js';
import { answered, answeredThread, composer, dismiss, goTo, growingAnswer, seen, write } from './pages.js';

const phone: View = { width: 390, height: 844, isTouch: true };

describeWeb('a phone', (world) => {
  let page: Page;
  beforeAll(async () => {
    const person = await newcomer(world.service);
    await addThread(world.service, person, { name: 'A name', state: 'interrupted' });
    page = await world.signedIn(person, phone);
  });

  it('leaves the state of a thread in sight beside the menu that is open', async () => {
    await page.goto('/');
    const menu = page.getByRole('button', { name: /^Actions/ });
    await menu.tap();
    await expect.poll(() => menu.getAttribute('aria-expanded')).toBe('true');
    const state = await page.locator('.thread-facts').boundingBox();
    const button = await menu.boundingBox();
    expect((state?.x ?? 0) + (state?.width ?? 0)).toBeLessThanOrEqual(button?.x ?? 0);
    await dismiss(page);
  });

  it('gives the views of the list as much room for a finger as the other buttons', async () => {
    const height = async (name: string) => (await page.getByRole('button', { name }).boundingBox())?.height;
    await expect.poll(() => height('Filter by tag')).toBe(40);
    for (const name of ['All', 'Mine', 'Private', 'Archived']) expect(await height(name), name).toBe(40);
  });

  it('begins a new line with Enter, and sends with the button, or with Ctrl+Enter of a keyboard', async () => {
    await goTo(page, '/new');
    await composer(page).tap();
    await page.keyboard.type('One line');
    await page.keyboard.press('Enter');
    await page.keyboard.type('and another');
    expect(await composer(page).inputValue()).toBe('One line\nand another');
    expect(await composer(page).getAttribute('enterkeyhint')).toBe('enter');
    await page.getByRole('button', { name: 'Send' }).tap();
    await page.waitForURL(/\/threads\/thr_/);
    await answered(page);
    await seen(page, 'One line and another');
    await composer(page).fill('From a keyboard');
    await composer(page).press('Control+Enter');
    await seen(page, 'From a keyboard');
    await answered(page);
  });

  it('leaves room for the words of a list and of a quotation, however deep they are', async () => {
    const levels = Array.from({ length: 40 }, (_, level) => level);
    const list = levels.map((level) => `${'  '.repeat(level)}- Level ${level}`);
    const quotation = levels.map((level) => `${'> '.repeat(level + 1)}Level ${level}`);
    world.service.model.enqueue([text([...list, '', ...quotation].join('\n'))]);
    await answeredThread(page, 'List them');
    for (const width of [320, 390]) {
      await page.setViewportSize({ width, height: 844 });
      for (const part of ['li', 'blockquote']) {
        const box = await page.locator(`.rich ${part}`).last().boundingBox();
        expect(box?.width, `${part} at ${width}`).toBeGreaterThan(110);
      }
    }
  });

  it.each([
    ['a phone', phone],
    ['a wide window', {}],
  ])(
    'stops an answer on %s while the next message is written, keeps that message, and moves the focus on',
    async (_name, view) => {
      const page = await growing(view);
      await composer(page).fill('Meanwhile');
      const stop = page.getByRole('button', { name: /^Stop/ });
      await expect.poll(() => page.getByRole('button', { name: 'Send' }).isVisible()).toBe(true);
      await (view === phone ? stop.tap() : stop.click());
      await seen(page, 'The answer was stopped.');
      expect(await composer(page).inputValue()).toBe('Meanwhile');
      await expect.poll(() => page.evaluate('document.activeElement.ariaLabel')).toBe('Conversation');
      if (view !== phone) await movesToSend(page);
    },
  );

  it('says above the page, in front of nothing, that the connection is lost', async () => {
    const proxy = await DroppingProxy.start(world.service.url);
    const view = { ...phone, width: 320, locale: 'de-DE', url: proxy.origin };
    const person = await newcomer(world.service);
    const { threadId } = await person.rest.readyThread({
      text: 'Hello',
      name: 'A name that is as long as the row'.repeat(2),
    });
    const page = await world.open(person, `/threads/${threadId}`, view);
    await page.getByRole('article').last().waitFor();
    proxy.goDown();
    const notice = page.getByText('Verbindung verloren');
    await notice.waitFor();
    expect(await coveredBy(notice)).toEqual([]);
    expect(await outOfPlace(page)).toEqual([]);
    await page.getByRole('link', { name: 'Zurück zu den Threads' }).tap();
    await page.getByRole('search').waitFor();
    expect(await coveredBy(notice)).toEqual([]);
    await page.context().close();
    await proxy.close();
  });

  /** The focus of the stop button, when the answer ends. */
  async function movesToSend(page: Page): Promise<void> {
    const end = gate();
    world.service.model.enqueue([text('Another half'), wait(end.passed)]);
    await write(page, 'Go on');
    await seen(page, 'Another half');
    await composer(page).fill('Meanwhile');
    await page.getByRole('button', { name: /^Stop/ }).focus();
    end.open();
    await answered(page);
    await focused(page, 'Send');
  }

  /** A conversation with an answer that does not end before the test lets it. */
  async function growing(view: View): Promise<Page> {
    const shown = view === phone ? page : await world.signedIn(await newcomer(world.service), view);
    await growingAnswer(world, shown);
    return shown;
  }
});

/** The titles and controls of which a part is beneath the notice. */
function coveredBy(notice: Locator): Promise<string[]> {
  return notice.evaluate((element) => {
    const { top, bottom, left, right } = element.getBoundingClientRect();
    const isBeneath = (other: Element) => {
      const box = other.getBoundingClientRect();
      return box.width > 0 && box.left < right && box.right > left && box.top < bottom && box.bottom > top;
    };
    const others = [...document.querySelectorAll<HTMLElement>('h1, a:not(.skip), button, input')];
    return others.filter(isBeneath).map((other) => other.ariaLabel ?? other.innerText);
  });
}
