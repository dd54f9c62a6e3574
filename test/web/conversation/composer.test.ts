/** The field of a message while what was sent is still on its way: nothing is lost, sent twice, or put where it does not belong. */
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { gate, httpError, wait } from '../../support/model/model-script.js';
import { newcomer } from '../../support/threads.js';
import { browserNote, hasBrowser, webWorld } from '../browser.js';
import { focused } from '../focus.js';
import { answered, composer, seen, startThread, write } from '../pages/pages.js';
import { growingAnswer } from './growing-answer.js';
import { drawn, HeldAnswers } from './held-answers.js';

describe.skipIf(!hasBrowser)(`the message field${browserNote}`, () => {
  const world = webWorld();

  it('returns the focus to the field when the question is settled, by the user or by the end of the answer', async () => {
    const { page, end } = await growingAnswer(world);
    await write(page, 'And this');
    await page.getByRole('button', { name: 'Interrupt and send' }).focus();
    end.open();
    await answered(page);
    await page.getByRole('button', { name: 'Interrupt and send' }).waitFor({ state: 'detached' });
    await focused(page, 'Message');
  });

  it('keeps the focus in place of the stop button when the answer ends', async () => {
    const { page, end } = await growingAnswer(world);
    await page.getByRole('button', { name: /^Stop/ }).focus();
    end.open();
    await answered(page);
    await focused(page, 'Send');
  });

  it('moves the focus to the conversation when the assistant fails while the user writes', async () => {
    const page = await world.signedIn(await newcomer(world.service));
    const end = gate();
    world.service.model.enqueue([wait(end.passed), httpError(400, { message: 'No.' })]);
    await startThread(page, 'Hello');
    await composer(page).focus();
    end.open();
    await seen(page, 'The assistant failed.');
    await focused(page, 'Conversation');
  });

  it('is empty for a user who returns while a message is being sent, and has its text again if that fails', async () => {
    const { page } = await talk();
    const sending = await HeldAnswers.of(page, { operation: 'SendMessage', isLost: true });
    await write(page, 'On its way');
    await sending.waitFor(1);
    await leave(page);
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
  });

  it('does not navigate a user who has gone elsewhere when the first message of a thread is accepted', async () => {
    const { page, threadId } = await talk();
    await page.getByRole('link', { name: 'New thread' }).click();
    const creating = await HeldAnswers.of(page, { operation: 'CreateThread' });
    await write(page, 'Another thread');
    await creating.waitFor(1);
    await page.goBack();
    await seen(page, 'Hello from the model.');
    const answer = page.waitForEvent(
      'requestfinished',
      (request) => request.postData()?.includes('CreateThread') === true,
    );
    creating.end();
    await answer;
    await drawn(page);
    expect(new URL(page.url()).pathname).toBe(`/threads/${threadId}`);
    await page.getByRole('link', { name: 'New thread' }).click();
    expect(await composer(page).inputValue()).toBe('');
  });

  async function talk(): Promise<{ page: Page; threadId: string }> {
    const page = await world.signedIn(await newcomer(world.service));
    const threadId = await startThread(page, 'Hello');
    await answered(page);
    return { page, threadId };
  }
});

async function leave(page: Page): Promise<void> {
  await page.getByRole('link', { name: 'New thread' }).click();
  await page.getByRole('heading', { name: 'What should we work on?' }).waitFor();
}
