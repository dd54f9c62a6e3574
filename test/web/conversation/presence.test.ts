/** Two people in two browsers: each sees that the other reads and writes, and nothing moves when they do. */
import type { Page, Request } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { addThread, colleagueOf, newcomer } from '../../support/threads.js';
import { browserNote, hasBrowser, type View, webWorld } from '../browser.js';
import { answered, composer, seen } from '../pages/pages.js';

const readers = (page: Page) => page.locator('.conversation-head').getByRole('img', { name: /reading$/ });
const writingLine = (page: Page) => page.locator('.writing-line');
const readersLine = (page: Page) => page.locator('.readers-line');

describe.skipIf(!hasBrowser)(`who else is in a conversation${browserNote}`, () => {
  const world = webWorld();

  async function twoPeople(view: View = {}) {
    const ada = await newcomer(world.service, { name: 'Ada Lovelace' });
    const bob = await colleagueOf(world.service, ada, { name: 'Bob' });
    const { threadId } = await ada.rest.readyThread({ text: 'A question' });
    const pages = { adas: await world.signedIn(ada, view), bobs: await world.signedIn(bob, view) };
    for (const page of Object.values(pages)) {
      await page.goto(`/threads/${threadId}`);
      await seen(page, 'A question');
    }
    return { ...pages, ada, bob, threadId };
  }

  it('shows a mark of whoever else reads, and a line while they write, which ends with their message', async () => {
    const { adas, bobs } = await twoPeople();
    await adas.getByRole('img', { name: 'Bob is reading' }).waitFor();
    await bobs.getByRole('img', { name: 'Ada Lovelace is reading' }).waitFor();
    await expect.poll(() => readers(bobs).innerText()).toBe('AL');
    await composer(bobs).pressSequentially('And then?');
    await writingLine(adas).getByText('Bob is writing…').waitFor();
    await adas.getByRole('status').getByText('Bob is writing').waitFor({ state: 'attached' });
    expect(await writingLine(bobs).count(), 'not to Bob').toBe(0);
    await composer(bobs).press('Enter');
    await writingLine(adas).waitFor({ state: 'detached' });
    await answered(adas);
    await bobs.close();
    await readers(adas).waitFor({ state: 'detached' });
  });

  it.each<[string, View]>([
    ['a wide window', {}],
    ['a phone', { width: 360, height: 740, isTouch: true }],
  ])('moves nothing in %s when somebody comes or writes', async (_where, view) => {
    const ada = await newcomer(world.service, { name: 'Ada' });
    const bob = await colleagueOf(world.service, ada, { name: 'Bob' });
    const { threadId } = await ada.rest.readyThread({ text: 'A question' });
    const adas = await world.signedIn(ada, view);
    await adas.goto(`/threads/${threadId}`);
    await seen(adas, 'A question');
    await answered(adas);
    const before = await placesOf(adas);
    const bobs = await world.signedIn(bob, view);
    await bobs.goto(`/threads/${threadId}`);
    await readers(adas).waitFor();
    await readers(bobs).waitFor();
    await composer(bobs).pressSequentially('Hm');
    await writingLine(adas).waitFor();
    expect(await placesOf(adas)).toEqual(before);
    expect(await readersLine(adas).isVisible(), 'one line takes the place of the other').toBe(false);
  });

  it('counts a page that is hidden as gone, and as there when it is shown again', async () => {
    const { adas, bobs } = await twoPeople();
    await readers(adas).waitFor();
    await setHidden(bobs, true);
    await readers(adas).waitFor({ state: 'detached' });
    await setHidden(bobs, false);
    await readers(adas).waitFor();
  });

  it('opens no further connection, and announces at most every three seconds, while others read', async () => {
    const ada = await newcomer(world.service, { name: 'Ada' });
    const bob = await colleagueOf(world.service, ada, { name: 'Bob' });
    const { threadId } = await ada.rest.readyThread({ text: 'A question' });
    const [adas, bobs] = [await world.signedIn(ada), await world.signedIn(bob)];
    const asked: Request[] = [];
    adas.on('request', (request) => asked.push(request));
    const announced = () => asked.filter((request) => request.postData()?.includes('AnnounceWriting')).length;
    const streams = () => asked.filter((request) => request.headers()['accept']?.includes('text/event-stream'));
    await adas.goto(`/threads/${threadId}`);
    await expect.poll(() => asked.some((request) => request.postData()?.includes('threadPresence'))).toBe(true);
    await composer(adas).pressSequentially('To nobody');
    await bobs.goto(`/threads/${threadId}`);
    await readers(adas).waitFor();
    expect(announced()).toBe(0);
    const nowMs = await adas.evaluate<number>('performance.now()');
    const typeAt = async (ms: number, words: string) => {
      await adas.evaluate(`performance.now = () => ${ms}`);
      await composer(adas).pressSequentially(words);
    };
    await typeAt(nowMs, ' or to Bob');
    await typeAt(nowMs + 2_999, ', who reads');
    await writingLine(bobs).waitFor();
    expect(announced()).toBe(1);
    await typeAt(nowMs + 3_000, ' it all');
    await expect.poll(announced).toBe(2);
    expect(streams().filter((request) => request.method() === 'GET')).toHaveLength(1);
  });

  it('names a few of many, and counts the others', async () => {
    const ada = await newcomer(world.service, { name: 'Ada' });
    const { threadId } = await ada.rest.readyThread({ text: 'A question' });
    const { presence } = world.service.service;
    const writers: string[] = [];
    for (const name of ['Bob', 'Carol Shaw', null, 'Dan', 'Eve']) {
      const { id } = await colleagueOf(world.service, ada, { name });
      presence.enter({ threadId, userId: id });
      writers.push(id);
    }
    const page = await world.signedIn(ada);
    await page.goto(`/threads/${threadId}`);
    await readers(page).waitFor();
    const names = 'Bob, Carol Shaw, a member without a name, Dan, and Eve are reading';
    await expect.poll(() => readers(page).getAttribute('aria-label')).toBe(names);
    expect((await readers(page).innerText()).split('\n')).toEqual(['B', 'CS', '?', '+2']);
    for (const userId of writers) presence.announceWriting({ threadId, userId });
    await writingLine(page).waitFor();
    await expect.poll(() => writingLine(page).innerText()).toBe('Bob, Carol Shaw, and 3 others are writing…');
  });

  it('says nothing in a private thread', async () => {
    const ada = await newcomer(world.service);
    const threadId = await addThread(world.service, ada, { isPrivate: true, name: 'Mine' });
    const page = await world.signedIn(ada);
    const asked: string[] = [];
    page.on('request', (request) => asked.push(request.postData() ?? ''));
    await page.goto(`/threads/${threadId}`);
    await composer(page).pressSequentially('Alone');
    await readersLine(page).waitFor();
    expect(asked.filter((body) => /threadPresence|announceWriting/.test(body))).toEqual([]);
  });
});

/** Where the parts of a conversation are. */
function placesOf(page: Page): Promise<unknown> {
  return page
    .locator('.conversation-facts, .conversation-head .button, .messages, article, .composer, .conversation-foot')
    .evaluateAll((found) => found.map((part) => [part.className, JSON.stringify(part.getBoundingClientRect())]));
}

/** As when another tab covers the page. */
async function setHidden(page: Page, isHidden: boolean): Promise<void> {
  await page.evaluate(`
    Object.defineProperty(document, 'hidden', { value: ${isHidden}, configurable: true });
    document.dispatchEvent(new Event('visibilitychange'));
  `);
}
