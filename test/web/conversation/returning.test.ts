/** Opening a thread again or on a bad line: what is known is shown at once, and what did not load comes by itself. */
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { gate, text, wait } from '../../support/model/model-script.js';
import { DroppingProxy } from '../../support/network/dropping-proxy.js';
import type { Person } from '../../support/service.js';
import { colleagueOf, newcomer } from '../../support/threads.js';
import { describeWeb, password } from '../browser.js';
import { answered, answers, composer, hideElsewhere, seen, signedOut, write } from '../pages/pages.js';
import { drawn, HeldAnswers } from './held-answers.js';
import { addMessages } from './long-thread.js';

describeWeb('returning to a thread', (world) => {
  it('loads a conversation, a list and the settings that did not load by themselves when the connection is back', async () => {
    const proxy = await DroppingProxy.start(world.service.url);
    const { page } = await withThreads(proxy.origin);
    proxy.goDown();
    await open(page, 'First');
    await page.getByRole('heading', { name: 'The conversation did not load' }).waitFor();
    await page.getByRole('heading', { name: 'First', exact: true }).waitFor();
    proxy.comeBack();
    await seen(page, 'Words of First');
    proxy.goDown();
    await page.getByRole('button', { name: 'Mine' }).click();
    await page.getByRole('navigation').getByText('The service cannot be reached').waitFor();
    proxy.comeBack();
    await page.getByRole('link', { name: /^(Unread: )?First/ }).waitFor();
    proxy.goDown();
    const lost = page.waitForEvent('requestfailed', (request) => /settings-page-[^/]+\.js$/.test(request.url()));
    await page.getByRole('link', { name: 'Settings' }).click();
    await lost;
    proxy.comeBack();
    await page.getByRole('heading', { name: 'Settings' }).waitFor();
    await page.context().close();
    await proxy.close();
  });

  it('starts by itself when the service was not reachable at first', async () => {
    const person = await newcomer(world.service);
    const page = await world.signedIn(person);
    const lost = await HeldAnswers.of(page, { operation: 'Me', isLost: true });
    await page.goto('/new');
    await lost.waitFor(1);
    lost.release(0);
    await page.getByRole('heading', { name: 'The service cannot be reached' }).waitFor();
    lost.end();
    await composer(page).waitFor();
  });

  it('shows a thread that was open before at once, even if it fails to reload, and brings it up to date; keeps the beginning of a growing answer, and continues it', async () => {
    const { page, threads } = await withThreads();
    await open(page, 'First');
    await seen(page, 'Words of First');
    await open(page, 'Second');
    await seen(page, 'Words of Second');
    const lost = await HeldAnswers.of(page, { operation: 'Conversation', isLost: true });
    await addMessages(world.service, { threadId: threads[0] ?? '', count: 2 });
    await open(page, 'First');
    await seen(page, 'Words of First');
    await lost.waitFor(1);
    lost.release(0);
    await drawn(page);
    await seen(page, 'Words of First');
    lost.end();
    await seen(page, 'Message number 1.');

    await open(page, 'Second');
    const end = gate();
    world.service.model.enqueue([text('One two th'), wait(end.passed), text('ree')]);
    await seen(page, 'Words of Second');
    await write(page, 'Count');
    await seen(page, 'One two th');
    await open(page, 'First');
    await seen(page, 'Words of First');
    const late = await HeldAnswers.of(page, { operation: 'Conversation' });
    const events = await HeldAnswers.of(page, { operation: 'ResponseEvents' });
    await open(page, 'Second');
    await seen(page, 'One two th');
    late.end();
    events.end();
    end.open();
    await answered(page);
    await expect.poll(() => answers(page).last().locator('.rich').innerText()).toBe('One two three');
  });

  it('shows the title of a thread that is not loaded yet, and takes a message for it; shows nothing of it to the next person who signs in', async () => {
    const { page, threads } = await withThreads();
    const late = await HeldAnswers.of(page, { operation: 'Conversation' });
    const changes = await HeldAnswers.of(page, { operation: 'ThreadChanged' });
    world.service.model.enqueue([text('An answer.')]);
    await open(page, 'First');
    await page.getByRole('heading', { name: 'First', exact: true }).waitFor();
    await write(page, 'Written early');
    await late.waitFor(1);
    expect(await page.getByText('Words of First').count()).toBe(0);
    late.end();
    changes.end();
    await seen(page, 'Written early');
    await seen(page, 'An answer.');

    await page.context().clearCookies();
    await signedOut(page);
    const next = await newcomer(world.service);
    await world.givePassword(next);
    await page.getByLabel('E-mail address').fill(next.email);
    await page.getByLabel('Password').fill(password);
    const hidden = await HeldAnswers.of(page, { operation: 'Conversation' });
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('navigation', { name: 'Threads' }).waitFor();
    await page.evaluate((path) => history.pushState(null, '', path), `/threads/${threads[0]}`);
    await hidden.waitFor(1);
    await drawn(page);
    expect(await page.getByText('Words of First').count()).toBe(0);
    hidden.end();
  });

  it('does not show a thread again that became private while another one was open', async () => {
    const owner = await newcomer(world.service);
    const [first = ''] = await makeThreads(owner);
    const page = await world.open(await colleagueOf(world.service, owner), `/threads/${first}`);
    await seen(page, 'Words of First');
    await open(page, 'Second');
    await seen(page, 'Words of Second');
    await hideElsewhere(owner, first);
    await page.getByRole('link', { name: /^(Unread: )?First/ }).waitFor({ state: 'detached' });
    const late = await HeldAnswers.of(page, { operation: 'Conversation' });
    await page.goBack();
    await page.getByRole('heading', { name: 'Second' }).waitFor({ state: 'detached' });
    await drawn(page);
    expect(await page.getByText('Words of First').count()).toBe(0);
    late.end();
    await page.getByText('There is no such thread').waitFor();
  });

  async function makeThreads(person: Person): Promise<string[]> {
    const ids: string[] = [];
    for (const name of ['First', 'Second']) {
      const { threadId } = await person.rest.readyThread({ text: `Words of ${name}`, name });
      ids.push(threadId);
    }
    return ids;
  }

  /** A page with two threads in its list, of which none is open. */
  async function withThreads(url?: string): Promise<{ page: Page; threads: string[] }> {
    const owner = await newcomer(world.service);
    const threads = await makeThreads(owner);
    const page = await world.open(owner, '/', url ? { url } : {});
    await page.getByRole('link', { name: /^(Unread: )?First/ }).waitFor();
    return { page, threads };
  }
});

async function open(page: Page, name: string): Promise<void> {
  await page.getByRole('link', { name: new RegExp(`^(Unread: )?${name}`) }).click();
}
