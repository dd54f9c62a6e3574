/** A streaming answer can be read along: a screen reader announces it, thinking is folded, and nothing jumps. */
import type { Locator, Page } from 'playwright-core';
import { beforeAll, expect, it } from 'vitest';
import { breakConnection, gate, httpError, reasoning, text, toolCall, wait } from '../../support/model/model-script.js';
import { newcomer } from '../../support/threads.js';
import { describeWeb } from '../browser.js';
import { focused } from '../focus.js';
import { answered, composer, seen, startThread, write } from './pages.js';

describeWeb('reading a streaming answer', (world) => {
  let page: Page;
  beforeAll(async () => {
    page = await world.signedIn(await newcomer(world.service));
  });

  it('announces whole sentences to a screen reader, the rest at the end, and gives each message a heading', async () => {
    const going = gate();
    world.service.model.enqueue([text('One **whole** sentence. And ha'), wait(going.passed), text('lf of another')]);
    await startThread(page, 'Speak');
    const said = page.locator('[aria-live=polite]', { hasText: 'sentence' });
    await said.waitFor({ state: 'attached' });
    await expect.poll(() => said.textContent()).toBe('One whole sentence. ');
    const headings = page.getByRole('region', { name: 'Conversation' }).getByRole('heading', { level: 2 });
    await expect.poll(() => headings.allInnerTexts()).toEqual(['Message', 'Assistant']);
    going.open();
    await page.locator('[aria-live=polite]', { hasText: 'And half of another' }).waitFor({ state: 'attached' });
  });

  it('announces that an answer was stopped or failed, and an answer with the same words as the one before', async () => {
    const heard = () => page.locator('[aria-live=polite]').textContent();
    world.service.model.enqueue([text('Yes.')], [text('Yes.')], [wait(gate().passed)], [httpError(400)]);
    await startThread(page, 'Is it so?');
    await expect.poll(heard).toBe('Yes.');
    await page.evaluate(`new MutationObserver(() => { window.isSaid = true; })
      .observe(document.querySelector('[aria-live=polite]'), { childList: true, characterData: true, subtree: true })`);
    await answered(page);
    await write(page, 'And this?');
    await expect.poll(() => page.evaluate('window.isSaid')).toBe(true);
    await answered(page);
    await write(page, 'Then stop');
    await page.getByRole('button', { name: 'Stop' }).click();
    await expect.poll(heard).toMatch(/^ The answer was stopped\. Stopped by Person \d+\.$/);
    await write(page, 'Then fail');
    await expect.poll(heard).toBe(' The assistant failed. The AI model rejected the request.');
  });

  it('folds the thinking of the model, to be opened during it and after', async () => {
    const going = gate();
    world.service.model.enqueue([reasoning('First I doubt.'), wait(going.passed), text('Now I know.')]);
    await startThread(page, 'Think');
    const doubt = page.getByText('First I doubt.');
    await page.getByText('Thinking…').waitFor();
    expect(await doubt.isVisible()).toBe(false);
    await page.getByText('Thinking…').click();
    await doubt.waitFor();
    going.open();
    await seen(page, 'Now I know.');
    await page.getByText('Reasoning').waitFor();
    await answered(page);
  });

  it('says that the model failed and is called once more, to a reader who waits and to one who comes', async () => {
    const second = gate();
    world.service.model.enqueue([httpError(503)], [wait(second.passed), text('Now it answers.')]);
    const threadId = await startThread(page, 'Fail once');
    const other = await page.context().newPage();
    await other.goto(`/threads/${threadId}`);
    const note = 'The model is not answering; trying again (2 of 4). The AI model is unavailable.';
    for (const each of [page, other]) await each.getByRole('status').filter({ hasText: note }).waitFor();
    second.open();
    for (const each of [page, other]) {
      await seen(each, 'Now it answers.');
      await each.getByText(note).waitFor({ state: 'detached' });
    }
    await other.close();
  });

  it('says that an answer began again when the words that were shown are taken away', async () => {
    const [breaks, second] = [gate(), gate()];
    world.service.model.enqueue(
      [text('The first words'), wait(breaks.passed), breakConnection()],
      [wait(second.passed), text('Other words.')],
    );
    await startThread(page, 'Break off');
    await seen(page, 'The first words');
    breaks.open();
    const note = page.getByText('The answer was interrupted and started again.');
    await page.getByRole('status').and(note).waitFor();
    await page.getByText('The first words').waitFor({ state: 'detached' });
    second.open();
    await seen(page, 'Other words.');
    await answered(page);
    await expect.poll(() => note.count()).toBe(1);
  });

  it('shifts nothing that the user reads while tokens arrive', async () => {
    const going = gate();
    const paragraph = 'Words of a paragraph that is long enough to wrap, and then to wrap once more.\n\n';
    const list = Array.from({ length: 12 }, (_, index) => `${index + 1}. An item with **bold** words\n`);
    const words = [...Array(6).fill(paragraph), ...list, '\n```ts\nconst a = 1;\n```\n', 'The end.']
      .join('')
      .split(/(?<= )/);
    world.service.model.enqueue([text('It begins. '), wait(going.passed), ...words.map(text)]);
    await startThread(page, 'Tell me much');
    await seen(page, 'It begins.');
    await page.evaluate(`
      globalThis.shifted = [];
      const region = document.querySelector('[aria-label=Conversation]');
      new PerformanceObserver((list) => {
        for (const { sources } of list.getEntries())
          for (const { node } of sources) if (region.contains(node)) shifted.push(node.nodeName + '.' + node.className);
      }).observe({ type: 'layout-shift' });
    `);
    going.open();
    await answered(page);
    expect(await page.evaluate('shifted')).toEqual([]);
  });

  it('keeps the newest words in view when the choices of a question or a long draft appear below them', async () => {
    await page.setViewportSize({ width: 360, height: 740 });
    const question = { question: 'Which one?', choices: ['This', 'That'] };
    const going = gate();
    world.service.model.enqueue([
      text('Words before it.\n\n'.repeat(20)),
      wait(going.passed),
      ...toolCall({ id: 'c1', name: 'user_get_choice', arguments: question }),
    ]);
    await startThread(page, 'Ask me');
    await page.getByRole('button', { name: 'Jump to the latest message' }).click();
    going.open();
    await page.getByRole('button', { name: 'That', exact: true }).waitFor();
    const asked = page.getByText('Which one?').first();
    await expect.poll(() => isInSight(page, asked)).toBe(true);
    await composer(page).fill('A line\n'.repeat(8));
    await expect.poll(() => isInSight(page, asked)).toBe(true);
    const first = page.getByText('Ask me', { exact: true }).last();
    await page.getByRole('region', { name: 'Conversation' }).hover();
    await page.mouse.wheel(0, -5000);
    await expect.poll(() => isInSight(page, first)).toBe(true);
    await composer(page).fill('A line\n'.repeat(12));
    await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))');
    expect(await isInSight(page, first)).toBe(true);
    await page.getByRole('button', { name: 'Jump to the latest message' }).press('Enter');
    await focused(page, 'Conversation');
    await expect.poll(() => isInSight(page, asked)).toBe(true);
  });
});

/** Whether all of it stands between the head of the conversation and what is below the messages. */
async function isInSight(page: Page, words: Locator): Promise<boolean> {
  const [inner, outer] = [await words.boundingBox(), await page.locator('.messages-scroll').boundingBox()];
  return !!inner && !!outer && inner.y >= outer.y && inner.y + inner.height <= outer.y + outer.height;
}
