/** After a connection that breaks in the middle of a word, the conversation continues where it was, with nothing twice. */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { gate, text, wait } from '../../support/model/model-script.js';
import { DroppingProxy } from '../../support/network/dropping-proxy.js';
import type { Person } from '../../support/service.js';
import { newcomer } from '../../support/threads.js';
import { describeWeb } from '../browser.js';
import { drawn, HeldAnswers, openList } from '../conversation/held-answers.js';
import { addMessages, watchMessages } from '../conversation/long-thread.js';
import { answered, answers, composer, goTo, seen, startThread, write } from './pages.js';

const unavailable = { errors: [{ message: 'Temporarily unavailable', extensions: { code: 'UNAVAILABLE' } }] };

describeWeb('a network that fails', (world) => {
  let proxy: DroppingProxy;
  let person: Person;
  let page: Page;
  beforeAll(async () => {
    proxy = await DroppingProxy.start(world.service.url);
    person = await newcomer(world.service);
    page = await world.signedIn(person, { url: proxy.origin });
  });
  afterAll(async () => {
    await page.context().close();
    await proxy.close();
  });

  it('continues in the middle of a word when the connection is back', async () => {
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
    await expect.poll(() => answers(page).locator('.rich').innerText()).toBe('One two three fo');
    await page.getByText('Connection lost').waitFor({ state: 'detached' });
    after.open();
    await answered(page);
    await expect.poll(() => answers(page).locator('.rich').innerText()).toBe('One two three four');
  });

  it('asks during an answer what should become of a message, also when the connection is lost', async () => {
    world.service.model.enqueue([text('One two'), wait(gate().passed)]);
    await startThread(page, 'Count');
    await seen(page, 'One two');
    await page.getByRole('button', { name: /^Stop/ }).waitFor();
    proxy.goDown();
    await page.getByText('Connection lost').waitFor();
    await write(page, 'And then?');
    await page.getByRole('button', { name: 'Wait, then send' }).waitFor();
    proxy.comeBack();
    await page.getByText('Connection lost').waitFor({ state: 'detached' });
    await composer(page).fill('');
    await page.getByRole('button', { name: /^Stop/ }).click();
    await seen(page, 'The answer was stopped.');
  });

  it('says no longer that the service cannot be reached, or is unavailable, when the connection is back: at the composer, below an answer and in the editor of a message', async () => {
    const { threadId } = await person.rest.readyThread({ text: 'Hello' });
    await goTo(page, `/threads/${threadId}`);
    await answered(page);
    await page.getByRole('button', { name: 'Edit message', exact: true }).press('Enter');
    const editor = page.getByRole('textbox', { name: 'Edit message' });
    await editor.fill('Hello again');
    proxy.goDown();
    await page.getByText('Connection lost').waitFor();
    await write(page, 'Are you there?');
    const told = page.getByRole('alert').getByText('The service cannot be reached');
    await expect.poll(() => told.count()).toBe(1);
    await editor.press('Enter');
    await expect.poll(() => told.count()).toBe(2);
    await page.route('**/graphql', (route) =>
      route.request().postData()?.includes('SubmitFeedback') ? route.fulfill({ json: unavailable }) : route.fallback(),
    );
    await page.getByRole('button', { name: 'Good answer' }).click();
    await page.getByRole('alert').getByText('Temporarily unavailable').waitFor();
    await page.unroute('**/graphql');
    proxy.comeBack();
    await expect.poll(() => told.count(), { timeout: 25_000 }).toBe(0);
    expect(await page.getByText('Temporarily unavailable').count()).toBe(0);
    expect(await composer(page).inputValue()).toBe('Are you there?');
    expect(await editor.inputValue()).toBe('Hello again');
    await composer(page).fill('');
  });

  it.each([
    ['the browser is online again', "dispatchEvent(new Event('online'))"],
    ['the page comes into view', "document.dispatchEvent(new Event('visibilitychange'))"],
  ])('connects again at once when %s', async (_what, happens) => {
    const seldom = await world.signedIn(person, { url: proxy.origin });
    await seldom.clock.install();
    await openList(seldom);
    proxy.goDown();
    await seldom.getByText('Connection lost').waitFor();
    // From now on no timer brings another try.
    await seldom.clock.pauseAt(Date.now() + 60_000);
    proxy.comeBack();
    await expect
      .poll(
        async () => {
          await seldom.evaluate(happens);
          return seldom.getByText('Connection lost').count();
        },
        { timeout: 25_000 },
      )
      .toBe(0);
    await seldom.context().close();
  });

  it.each([
    [
      'fetches what was said meanwhile, the newest known message again, which tells how its answer ended, and nothing else',
      30,
      { queries: ['Conversation'], messages: 31 },
    ],
    [
      'begins at the end again where too much was said meanwhile',
      400,
      { queries: ['Conversation', 'Conversation'], messages: 250 },
    ],
  ])('%s', async (_name, count, expected) => {
    const { threadId } = await person.rest.readyThread({ text: 'Hello' });
    await addMessages(world.service, { threadId, count: 100 });
    await goTo(page, `/threads/${threadId}`);
    await seen(page, 'Message number 99.');
    proxy.goDown();
    await page.getByText('Connection lost').waitFor();
    await addMessages(world.service, { threadId, count, from: 100 });
    const asked = watchMessages(page);
    proxy.comeBack();
    await seen(page, `Message number ${99 + count}.`);
    await vi.waitFor(() => expect(asked).toEqual(expected), { timeout: 30_000 });
  });

  it('stays live even if the service could not begin a subscription at first', async () => {
    const { threadId } = await person.rest.readyThread({ text: 'Hello' });
    await goTo(page, `/threads/${threadId}`);
    await answered(page);
    proxy.goDown();
    await page.getByText('Connection lost').waitFor();
    const { database } = world.service;
    await database.$executeRaw`ALTER TABLE thread RENAME TO thread_elsewhere`;
    const begun = await HeldAnswers.of(page, { operation: 'ThreadChanged' });
    proxy.comeBack();
    await begun.waitFor(1);
    const refusals = () => world.service.log.filter((line) => line.includes('readThreadVersion'));
    await vi.waitFor(() => expect(refusals()).not.toEqual([]), { timeout: 30_000 });
    begun.end();
    await database.$executeRaw`ALTER TABLE thread_elsewhere RENAME TO thread`;
    await addMessages(world.service, { threadId, count: 2 });
    await seen(page, 'Message number 1.');
  });

  it('restarts the feed of threads after a restore of the database', async () => {
    await openList(page);
    await page.route('**/graphql/stream', (route) => {
      const body = route.request().postData() ?? '';
      return route.continue({ postData: body.replace(/(?<="after":")[^"]+/, 'of-another-history') });
    });
    const loaded = page.waitForEvent('requestfinished', (request) => !!request.postData()?.includes('query Threads'));
    proxy.goDown();
    await page.getByText('Connection lost').waitFor();
    proxy.comeBack();
    await loaded;
    await drawn(page);
    await person.rest.readyThread({ text: 'Hello', name: 'News' });
    await page.getByRole('link', { name: /^News/ }).waitFor();
  });
});
