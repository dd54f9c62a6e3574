/** Editing a sent message, asking for another answer, and going back to what was there before. */
import type { Locator, Page } from 'playwright-core';
import { beforeAll, expect, it } from 'vitest';
import { gate, text, wait } from '../../support/model/model-script.js';
import type { Person } from '../../support/service.js';
import { colleagueOf, newcomer } from '../../support/threads.js';
import { describeWeb } from '../browser.js';
import { focused } from '../focus.js';
import { answered, composer, growingAnswer, openThread, seen, write } from '../pages/pages.js';
import { settledSight } from '../pages/sight.js';

describeWeb('branches of a conversation', (world) => {
  let ada: Person;
  let page: Page;
  beforeAll(async () => {
    ada = await newcomer(world.service);
    page = await world.signedIn(ada);
  });

  function conversation(): Promise<string> {
    world.service.model.enqueue([text('The first answer.')]);
    return openThread(page, ada, 'A question');
  }

  it('another answer takes the place of the first, also on other open pages, and a switch brings the first back', async () => {
    const threadId = await conversation();
    const other = await world.open(await colleagueOf(world.service, ada), `/threads/${threadId}`);
    await seen(other, 'The first answer.');
    const hold = gate();
    world.service.model.enqueue([text('The second'), wait(hold.passed), text(' answer.')]);
    await page.getByRole('button', { name: 'Regenerate' }).click();
    for (const one of [page, other]) {
      await seen(one, 'The second');
      await gone(one, 'The first answer.');
    }
    hold.open();
    await seen(page, 'The second answer.');
    await seen(other, 'The second answer.');
    // The text of an answer is seen before it has ended, and until then the button does nothing. A click waits, but not a key.
    await switcher(page, 2, 2).getByRole('button', { name: 'Previous version', disabled: false }).press('Enter');
    for (const one of [page, other]) {
      await seen(one, 'The first answer.');
      await gone(one, 'The second answer.');
    }
    await focused(page, 'Previous version');
    await switcher(page, 1, 2).getByRole('button', { name: 'Next version' }).click();
    await seen(page, 'The second answer.');
    await switcher(page, 2, 2).waitFor();
  });

  it('an edited message is answered anew, and what followed it is kept; the arrow in an empty field edits the last one, and Escape keeps what was written', async () => {
    await conversation();
    await composer(page).press('ArrowUp');
    await focused(page, 'Edit message');
    await expect.poll(() => editor(page).inputValue()).toBe('A question');
    await editor(page).fill('A question, half edited');
    await editor(page).press('Escape');
    await focused(page, 'Edit message');
    await editor(page).waitFor({ state: 'detached' });
    await seen(page, 'A question');
    await page.reload();
    await answered(page);
    await composer(page).press('ArrowUp');
    await expect.poll(() => editor(page).inputValue()).toBe('A question, half edited');
    await page.getByRole('button', { name: 'Cancel' }).click();
    await composer(page).press('ArrowUp');
    await expect.poll(() => editor(page).inputValue()).toBe('A question');
    await page.getByRole('button', { name: 'Cancel' }).click();

    await write(page, 'More, please');
    await answered(page);
    world.service.model.enqueue([text('A better answer.')]);
    // At the end of a conversation that is a little higher than the window.
    await page.setViewportSize({ width: 1280, height: 400 });
    await page.reload();
    await answered(page);
    await message(page, 'A question').hover();
    const before = await settledSight(page);
    await message(page, 'A question').getByRole('button', { name: 'Edit message' }).click();
    await focused(page, 'Edit message');
    const { rows } = await settledSight(page);
    expect(Object.entries(rows)[0]).toEqual(Object.entries(before.rows)[0]);
    await page.setViewportSize({ width: 1280, height: 800 });
    await editor(page).fill('A better question');
    await editor(page).press('Enter');
    await focused(page, 'Message');
    await seen(page, 'A better answer.');
    await gone(page, 'More, please');
    await switcher(page, 2, 2).getByRole('button', { name: 'Previous version' }).click();
    await seen(page, 'More, please');
    await gone(page, 'A better answer.');
  });

  it('an edit goes on where the message is edited in another window meanwhile, and becomes a version after that one', async () => {
    await conversation();
    await composer(page).press('ArrowUp');
    await editor(page).fill('Edited here');
    const other = await page.context().newPage();
    await other.goto(page.url());
    await answered(other);
    await composer(other).press('ArrowUp');
    world.service.model.enqueue([text('An answer to the other window.')]);
    await editor(other).fill('Edited there');
    await editor(other).press('Enter');
    await seen(page, 'An answer to the other window.');
    expect(await editor(page).inputValue()).toBe('Edited here');
    await answered(page);
    await page.route('**/graphql', (route) => {
      const isEdit = (route.request().postData() ?? '').includes('EditMessage');
      return isEdit ? route.fulfill({ json: refused }) : route.fallback();
    });
    await editor(page).press('Enter');
    await page.getByText('The thread is busy.').waitFor();
    await expect.poll(() => editor(page).inputValue()).toBe('Edited here');
    await page.unrouteAll({ behavior: 'wait' });
    world.service.model.enqueue([text('An answer to this window.')]);
    await editor(page).press('Enter');
    await seen(page, 'An answer to this window.');
    await switcher(page, 3, 3).waitFor();
    await composer(page).press('ArrowUp');
    await expect.poll(() => editor(page).inputValue()).toBe('Edited here');
    await other.close();
  });

  it('an answer that runs is in the way of an edit, and the buttons say so; a refused one opens the editor again, with the text and the reason, and nothing is gone even if nothing loads', async () => {
    const end = await growingAnswer(world, page);
    await message(page, 'Hello').hover();
    const edit = message(page, 'Hello').getByRole('button', { name: 'Edit message' });
    await expect.poll(() => edit.getAttribute('title')).toBe('Wait for the answer to end');
    await expect.poll(() => edit.getAttribute('aria-disabled')).toBe('true');
    const colour = await edit.evaluate((button) => getComputedStyle(button).backgroundColor);
    expect(colour, 'not marked like one that is pressed').toBe('rgba(0, 0, 0, 0)');
    end.open();
    await answered(page);
    await expect.poll(() => edit.getAttribute('title')).toBe('Edit message');

    await composer(page).press('ArrowUp');
    await editor(page).fill('Too late');
    await page.route('**/graphql', (route) => {
      const query = route.request().postData() ?? '';
      if (query.includes('EditMessage')) return route.fulfill({ json: refused });
      return /query Conversation\b/.test(query) ? route.abort() : route.continue();
    });
    await editor(page).press('Enter');
    await page.getByText('The thread is busy.').waitFor();
    await expect.poll(() => editor(page).inputValue()).toBe('Too late');
    await seen(page, 'Half');
  });
});

const refused = {
  data: { outcome: { __typename: 'ThreadNotReadyError', code: 'THREAD_NOT_READY', message: 'The thread is busy.' } },
};

function editor(page: Page): Locator {
  return page.getByRole('textbox', { name: 'Edit message' });
}

function message(page: Page, words: string): Locator {
  return page.getByRole('article').filter({ hasText: words });
}

function switcher(page: Page, position: number, count: number): Locator {
  return page.getByRole('group', { name: `Version ${position} of ${count}` });
}

function gone(page: Page, words: string): Promise<void> {
  return page.getByRole('region', { name: 'Conversation' }).getByText(words).waitFor({ state: 'detached' });
}
