/** A message that is written while an answer runs: it waits where it is seen, is sent by itself, and is never left behind. */
import type { Page } from 'playwright-core';
import { beforeAll, expect, it } from 'vitest';
import { gate, httpError, text, wait } from '../../support/model/model-script.js';
import { newcomer } from '../../support/threads.js';
import { describeWeb } from '../browser.js';
import { focused } from '../focus.js';
import { answered, composer, seen, startThread, write } from '../pages/pages.js';
import { growingAnswer } from './growing-answer.js';

describeWeb('a queued message', (world) => {
  let page: Page;
  beforeAll(async () => {
    page = await world.signedIn(await newcomer(world.service));
  });

  it('is shown while it waits, with what is queued after it, and is sent when the answer ends, also while another thread is open', async () => {
    const { end } = await growingAnswer(world, page);
    await queue(page, 'One');
    await expect.poll(() => composer(page).inputValue()).toBe('');
    await focused(page, 'Message');
    await queue(page, 'Two');
    await expect.poll(() => queued(page).innerText()).toMatch(/One\s+Two/);
    const next = gate();
    world.service.model.enqueue([text('As you asked.'), wait(next.passed)]);
    end.open();
    await seen(page, 'As you asked.');
    await queued(page).waitFor({ state: 'detached' });
    const mine = page.getByRole('article', { name: 'Message', exact: true });
    await expect.poll(() => mine.allInnerTexts()).toHaveLength(2);
    await mine.filter({ hasText: /One\s+Two/ }).waitFor();

    await queue(page, 'Sent from elsewhere');
    await page.getByRole('link', { name: 'New thread' }).click();
    await page.getByRole('heading', { name: 'What should we work on?' }).waitFor();
    world.service.model.enqueue([text('From afar.')]);
    const sent = page.waitForRequest((request) => request.postData()?.includes('SendMessage') === true);
    next.open();
    await sent;
    expect(new URL(page.url()).pathname).toBe('/new');
    await page.goBack();
    await seen(page, 'Sent from elsewhere');
    await seen(page, 'From afar.');
    await expect.poll(() => composer(page).inputValue()).toBe('');
  });

  it('can be taken back to edit, by a button and by the arrow in an empty field, and is in the draft after a reload, in front of what was written since', async () => {
    await growingAnswer(world, page);
    await queue(page, 'First words');
    await queued(page).getByRole('button', { name: 'Edit' }).click();
    await queued(page).waitFor({ state: 'detached' });
    await expect.poll(() => composer(page).inputValue()).toBe('First words');
    await queue(page, 'Second words');
    await composer(page).press('ArrowUp');
    await queued(page).waitFor({ state: 'detached' });
    await expect.poll(() => composer(page).inputValue()).toBe('Second words');
    await queue(page, 'Queued words');
    await composer(page).fill('and more');
    await page.reload();
    await expect.poll(() => composer(page).inputValue()).toBe('Queued words\nand more');
  });

  it('can still interrupt the answer, is sent when the user stops it, and if it ends while the page asks whether to interrupt it, but not if the user stops it then', async () => {
    await growingAnswer(world, page);
    const { model } = world.service;
    await queue(page, 'Now');
    model.enqueue([text('At once.'), wait(gate().passed)]);
    await queued(page).getByRole('button', { name: 'Interrupt and send' }).click();
    await seen(page, 'At once.');
    await queue(page, 'Instead');
    const end = gate();
    model.enqueue([text('Something else.'), wait(end.passed)]);
    await page.getByRole('button', { name: /^Stop/ }).click();
    await seen(page, 'Something else.');
    await write(page, 'Not decided');
    await page.getByRole('button', { name: 'Interrupt and send' }).waitFor();
    model.enqueue([text('As you asked.')]);
    end.open();
    await seen(page, 'As you asked.');
    await expect.poll(() => composer(page).inputValue()).toBe('');
    await answered(page);

    model.enqueue([text('Too much.'), wait(gate().passed)]);
    await write(page, 'More');
    await seen(page, 'Too much.');
    await write(page, 'Not decided either');
    await page.getByRole('button', { name: 'Interrupt and send' }).waitFor();
    const asked = model.requests.length;
    await page.getByRole('button', { name: /^Stop/ }).click();
    await seen(page, 'stopped');
    expect(await composer(page).inputValue()).toBe('Not decided either');
    await page.getByRole('button', { name: 'Send' }).waitFor();
    expect(await page.getByRole('button', { name: 'Interrupt and send' }).count()).toBe(0);
    expect(model.requests.length).toBe(asked);
  });

  it('is at hand for the continuation when the assistant fails', async () => {
    const end = gate();
    world.service.model.enqueue([wait(end.passed), httpError(400, { message: 'No.' })]);
    await startThread(page, 'Hello');
    await queue(page, 'Not lost');
    end.open();
    await seen(page, 'The assistant failed.');
    await expect.poll(() => page.locator('.continue textarea').inputValue()).toBe('Not lost');
  });
});

async function queue(page: Page, words: string): Promise<void> {
  await write(page, words);
  await page.getByRole('button', { name: 'Wait, then send' }).click();
  await queued(page).waitFor();
}

function queued(page: Page) {
  return page.getByRole('region', { name: 'Queued message' });
}
