/**
 * The field of a message while what was sent is still on its way: nothing is lost, sent twice, or put where it does not belong. A
 * message that is written while an answer runs waits where it is seen, is sent by itself, and is never left behind.
 */
import type { Locator, Page } from 'playwright-core';
import { beforeAll, expect, it } from 'vitest';
import { textLimits } from '../../../src/contract.js';
import { gate, httpError, text, wait } from '../../support/model/model-script.js';
import { newcomer } from '../../support/threads.js';
import { describeWeb } from '../browser.js';
import { focused } from '../focus.js';
import {
  answered,
  answeredThread,
  composer,
  growingAnswer,
  leaveThread,
  seen,
  startThread,
  write,
} from '../pages/pages.js';
import { HeldAnswers, released } from './held-answers.js';

describeWeb('the message field', (world) => {
  let page: Page;
  beforeAll(async () => {
    page = await world.signedIn(await newcomer(world.service));
  });

  it('does not stop the answer with the second half of a double click on the button that sends', async () => {
    await answeredThread(page, 'Hello');
    await composer(page).fill('Go on');
    const end = gate();
    world.service.model.enqueue([text('Half'), wait(end.passed), text(' and all of it.')]);
    const stops: string[] = [];
    page.on('request', (request) => {
      if (request.postData()?.includes('mutation Stop')) stops.push(request.url());
    });
    await page.getByRole('button', { name: 'Send' }).click();
    await page.getByRole('button', { name: /^Stop/ }).waitFor();
    await page.mouse.down({ clickCount: 2 });
    await page.mouse.up({ clickCount: 2 });
    await seen(page, 'Half');
    end.open();
    await seen(page, 'Half and all of it.');
    expect(stops).toEqual([]);
  });

  it('has the focus again when the question is settled by the end of the answer, keeps it in place of the stop button, and gives it to the conversation when the assistant fails', async () => {
    const end = await growingAnswer(world, page);
    const { model } = world.service;
    await write(page, 'And this');
    await page.getByRole('button', { name: 'Interrupt and send' }).focus();
    const second = gate();
    model.enqueue([text('Some more'), wait(second.passed)]);
    end.open();
    await page.getByRole('button', { name: 'Interrupt and send' }).waitFor({ state: 'detached' });
    await focused(page, 'Message');

    await seen(page, 'Some more');
    await page.getByRole('button', { name: /^Stop/ }).focus();
    second.open();
    await answered(page);
    await focused(page, 'Send');

    const third = gate();
    model.enqueue([wait(third.passed), httpError(400, { message: 'No.' })]);
    await write(page, 'Hello');
    await page.getByRole('button', { name: /^Stop/ }).waitFor();
    await composer(page).focus();
    third.open();
    await seen(page, 'The assistant failed.');
    await focused(page, 'Conversation');
  });

  it('is empty for a user who returns while a message is being sent, and has its text again if that fails; does not navigate a user who has gone elsewhere when the first message of a thread is accepted', async () => {
    const threadId = await answeredThread(page, 'Hello');
    const sending = await HeldAnswers.of(page, { operation: 'SendMessage', isLost: true });
    await write(page, 'On its way');
    await sending.waitFor(1);
    await toNewThread(page);
    await page.goBack();
    await seen(page, 'Hello from the model.');
    expect(await composer(page).inputValue()).toBe('');
    sending.release(0);
    await sending.waitFor(2);
    sending.end();
    await expect.poll(() => composer(page).inputValue()).toBe('On its way');
    await page.reload();
    await seen(page, 'Hello from the model.');
    await expect.poll(() => composer(page).inputValue()).toBe('On its way');

    await toNewThread(page);
    const creating = await HeldAnswers.of(page, { operation: 'CreateThread' });
    await write(page, 'Another thread');
    await creating.waitFor(1);
    await page.goBack();
    await seen(page, 'Hello from the model.');
    await released(page, creating, 'CreateThread');
    expect(new URL(page.url()).pathname).toBe(`/threads/${threadId}`);
    await toNewThread(page);
    expect(await composer(page).inputValue()).toBe('');
  });

  it('takes back what was typed as the browser does in any field, not letter by letter', async () => {
    await answeredThread(page, 'Hello');
    await composer(page).pressSequentially('Some words');
    await composer(page).press('Control+z');
    expect(await composer(page).inputValue()).toBe('');
  });

  it('has the focus where the browser knows of no pointer, as with a keyboard alone; is as high as its text, and so is an edit, where the browser leaves that to the page', async () => {
    const other = await world.signedIn(await newcomer(world.service));
    await other.addInitScript(() => {
      CSS.supports = () => false;
      const styles = new CSSStyleSheet();
      styles.replaceSync('textarea { field-sizing: fixed !important }');
      document.adoptedStyleSheets = [styles];
      const real = matchMedia;
      globalThis.matchMedia = (query) => real(query.includes('pointer') ? 'not all' : query);
    });
    await other.goto('/new');
    await focused(other, 'Message');
    await write(other, 'Hello');
    await answered(other);
    await focused(other, 'Message');
    const hidden = (field: Locator) => field.evaluate((element) => element.scrollHeight - element.clientHeight);
    const lines = 'One\nTwo\nThree\nFour\nFive';
    await composer(other).fill(lines);
    expect(await hidden(composer(other))).toBe(0);
    await composer(other).press('Enter');
    await expect.poll(() => composer(other).evaluate(({ clientHeight }) => clientHeight)).toBeLessThan(50);
    await answered(other);
    await composer(other).press('ArrowUp');
    const editor = other.getByRole('textbox', { name: 'Edit message' });
    await editor.waitFor();
    expect(await hidden(editor)).toBe(0);
  });

  it('is there, and sends what is written, where the browser has no room to store anything; keeps a draft in the page then, and asks before it is left', async () => {
    const full = await world.signedIn(await newcomer(world.service));
    await full.goto('/auth/methods');
    await full.evaluate(`
      localStorage.clear();
      for (let size = 2 ** 22; size >= 1; size /= 2) {
        try {
          for (let at = 0; ; at += 1) localStorage.setItem(size + ' ' + at, 'x'.repeat(size));
        } catch {}
      }
    `);
    await full.goto('/new');
    await composer(full).fill('Without room');
    await composer(full).press('Enter');
    await seen(full, 'Without room');
    await answered(full);
    await composer(full).fill('For later');
    await toNewThread(full);
    await full.goBack();
    await seen(full, 'Without room');
    expect(await composer(full).inputValue()).toBe('For later');
    const question = full.waitForEvent('dialog');
    await full.close({ runBeforeUnload: true });
    expect((await question).type()).toBe('beforeunload');
    await (await question).dismiss();
    await composer(full).fill('');
    const closed = full.waitForEvent('close');
    await full.close({ runBeforeUnload: true });
    await closed;
  });

  it('keeps the whole of a text that is too long, says so, and sends what is left of it; counts an emoji as one character', async () => {
    const { max } = textLimits.message;
    const longest = `🙂${'so much '.repeat(max).slice(1 - max)}`;
    await answeredThread(page, 'Hello');
    await paste(page, `${longest}, and its end`);
    await page.getByText('A message can have at most 100,000 characters.').waitFor();
    await composer(page).press('Enter');
    expect(await has(composer(page), `${longest}, and its end`)).toBe(true);
    await composer(page).press('Control+a');
    await paste(page, longest);
    await page.getByText('A message can have at most').waitFor({ state: 'detached' });
    await composer(page).press('Enter');
    await expect.poll(() => has(composer(page), '')).toBe(true);
    await answered(page);
    await page.getByRole('button', { name: 'Edit message' }).last().click();
    const editor = page.getByRole('textbox', { name: 'Edit message' });
    await editor.press('Control+End');
    await paste(page, '!');
    await page.getByText('A message can have at most').waitFor();
    expect(await has(editor, `${longest}!`)).toBe(true);
  });

  it('shows a queued message while it waits, with what is queued after it, and sends it when the answer ends, also while another thread is open', async () => {
    const end = await growingAnswer(world, page);
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
    await leaveThread(page);
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

  it('takes a queued message back to edit, by a button and by the arrow when empty, and has it in the draft after a reload, in front of what was written since', async () => {
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

  it('lets a queued message still interrupt the answer, sends it when the user stops that, and if it ends while the page asks whether to interrupt it, but not if the user stops it then', async () => {
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

  it('has a queued message at hand for the continuation when the assistant fails', async () => {
    const end = gate();
    world.service.model.enqueue([wait(end.passed), httpError(400, { message: 'No.' })]);
    await startThread(page, 'Hello');
    await queue(page, 'Not lost');
    end.open();
    await seen(page, 'The assistant failed.');
    await expect.poll(() => page.locator('.continue textarea').inputValue()).toBe('Not lost');
  });
});

/** A difference of 100,000 characters would fill the report of the tests. */
async function has(field: Locator, words: string): Promise<boolean> {
  return (await field.inputValue()) === words;
}

/** As a paste does: the browser itself inserts the text where the focus is. */
async function paste(page: Page, words: string): Promise<void> {
  await page.keyboard.insertText(words);
}

async function toNewThread(page: Page): Promise<void> {
  await leaveThread(page);
}

async function queue(page: Page, words: string): Promise<void> {
  await write(page, words);
  await page.getByRole('button', { name: 'Wait, then send' }).click();
  await queued(page).waitFor();
}

function queued(page: Page) {
  return page.getByRole('region', { name: 'Queued message' });
}
