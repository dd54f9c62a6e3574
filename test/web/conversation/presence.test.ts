/** Two people in two browsers: each sees that the other reads and writes, and nothing moves when they do. */
import type { Page, Request } from 'playwright-core';
import { beforeAll, expect, it } from 'vitest';
import type { Person } from '../../support/service.js';
import { addThread, colleagueOf, newcomer } from '../../support/threads.js';
import { describeWeb } from '../browser.js';
import { answered, composer, goTo, seen } from '../pages/pages.js';

const readers = (page: Page) => page.locator('.conversation-head').getByRole('img', { name: /reading$/ });
const writingLine = (page: Page) => page.locator('.writing-line');
const readersLine = (page: Page) => page.locator('.readers-line');

/** The page looks who is there at once: it takes itself to have been open for as long as it waits with that. */
async function openForLong(page: Page): Promise<Page> {
  await page.addInitScript(`
    const now = performance.now.bind(performance);
    performance.now = window.later = () => now() + 5_000;
  `);
  return page;
}

describeWeb('who else is in a conversation', (world) => {
  let ada: Person;
  let adas: Page;
  beforeAll(async () => {
    ada = await newcomer(world.service, { name: 'Ada Lovelace' });
    adas = await openForLong(await world.signedIn(ada));
  });

  it('shows who else reads and writes until they leave, moves nothing, opens no further connection, and announces at most every three seconds', async () => {
    const bobs = await openForLong(await world.signedIn(await colleagueOf(world.service, ada, { name: 'Bob' })));
    const { threadId } = await ada.rest.readyThread({ text: 'A question' });
    const path = `/threads/${threadId}`;
    const asked: Request[] = [];
    adas.on('request', (request) => asked.push(request));
    const announced = () => asked.filter((request) => request.postData()?.includes('AnnounceWriting')).length;
    const streams = () => asked.filter((request) => request.headers()['accept']?.includes('text/event-stream'));
    await adas.goto(path);
    await seen(adas, 'A question');
    await answered(adas);
    await expect.poll(() => asked.some((request) => request.postData()?.includes('threadPresence'))).toBe(true);
    await composer(adas).pressSequentially('To nobody');
    const before = await placesOf(adas);
    await bobs.goto(path);
    await adas.getByRole('img', { name: 'Bob is reading' }).waitFor();
    await bobs.getByRole('img', { name: 'Ada Lovelace is reading' }).waitFor();
    await expect.poll(() => readers(bobs).innerText()).toBe('AL');
    expect(announced(), 'while nobody else reads').toBe(0);
    await composer(bobs).pressSequentially('And then?');
    await writingLine(adas).getByText('Bob is writing…').waitFor();
    await adas.getByRole('status').getByText('Bob is writing').waitFor({ state: 'attached' });
    expect(await writingLine(bobs).count(), 'not to Bob').toBe(0);
    expect(await placesOf(adas), 'where everything is').toEqual(before);
    expect(await readersLine(adas).isVisible(), 'one line takes the place of the other').toBe(false);

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
    await adas.evaluate('performance.now = later');

    await composer(bobs).press('Enter');
    await writingLine(adas).waitFor({ state: 'detached' });
    await answered(adas);
    await setHidden(bobs, true);
    await readers(adas).waitFor({ state: 'detached' });
    await setHidden(bobs, false);
    await readers(adas).waitFor();
    await bobs.close();
    await readers(adas).waitFor({ state: 'detached' });
    expect(streams().filter((request) => request.method() === 'GET')).toHaveLength(1);
  });

  it('moves nothing on a phone when somebody comes or writes, and says what they do whatever the length of their name', async () => {
    const { id: userId } = await colleagueOf(world.service, ada, { name: 'W'.repeat(200) });
    const { threadId } = await ada.rest.readyThread({ text: 'A question' });
    const page = await openForLong(await world.signedIn(ada, { width: 360, height: 740, isTouch: true }));
    await page.goto(`/threads/${threadId}`);
    await seen(page, 'A question');
    await answered(page);
    const before = await placesOf(page);
    const { presence } = world.service.service;
    presence.enter({ threadId, userId });
    await readers(page).waitFor();
    presence.announceWriting({ threadId, userId });
    await writingLine(page).waitFor();
    expect(await writingLine(page).evaluate((line) => line.scrollWidth - line.clientWidth)).toBe(0);
    expect(await placesOf(page)).toEqual(before);
    expect(await readersLine(page).isVisible(), 'one line takes the place of the other').toBe(false);
  });

  it('names a few of many, and counts the others; and says nothing in a private thread', async () => {
    const { threadId } = await ada.rest.readyThread({ text: 'A question' });
    const { presence } = world.service.service;
    const writers: string[] = [];
    for (const name of ['Bob', 'Carol Shaw', null, 'Dan', 'Eve']) {
      const { id } = await colleagueOf(world.service, ada, { name });
      presence.enter({ threadId, userId: id });
      writers.push(id);
    }
    const alone = await addThread(world.service, ada, { isPrivate: true, name: 'Mine' });
    const asked: string[] = [];
    adas.on('request', (request) => asked.push(request.postData() ?? ''));
    await goTo(adas, `/threads/${alone}`);
    await composer(adas).pressSequentially('Alone');
    await readersLine(adas).waitFor();
    expect(asked.filter((body) => /threadPresence|announceWriting/.test(body))).toEqual([]);

    await goTo(adas, `/threads/${threadId}`);
    await readers(adas).waitFor();
    const names = 'Bob, Carol Shaw, a member without a name, Dan, and Eve are reading';
    await expect.poll(() => readers(adas).getAttribute('aria-label')).toBe(names);
    expect((await readers(adas).innerText()).split('\n')).toEqual(['B', 'CS', '?', '+2']);
    for (const userId of writers) presence.announceWriting({ threadId, userId });
    await writingLine(adas).waitFor();
    await expect.poll(() => writingLine(adas).innerText()).toBe('Bob, Carol Shaw, and 3 others are writing…');
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
