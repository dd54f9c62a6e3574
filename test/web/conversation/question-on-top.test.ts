/** A question that is sent goes to the top, and its answer grows below it without moving anything that is read. */
import type { Page } from 'playwright-core';
import { beforeAll, expect, it } from 'vitest';
import { gate, text, wait } from '../../support/model/model-script.js';
import type { Person } from '../../support/service.js';
import { newcomer } from '../../support/threads.js';
import { describeWeb } from '../browser.js';
import { answered, goTo, seen, write } from '../pages/pages.js';
import { movedRows, settledSight } from '../pages/sight.js';
import { HeldAnswers } from './held-answers.js';

const paragraphs = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, index) => `Paragraph ${from + index}.`).join('\n\n');

describeWeb('a question that is sent', (world) => {
  let person: Person;
  let onDesktop: Page;
  beforeAll(async () => {
    person = await newcomer(world.service);
    onDesktop = await world.signedIn(person);
  });

  /** A conversation that is longer than the window, in which a question was sent whose answer has begun, and waits twice. */
  const ask = async (opened: Page) => {
    world.service.model.enqueue([text(paragraphs(0, 60))]);
    const { threadId } = await person.rest.readyThread({ text: 'Before' });
    await goTo(opened, `/threads/${threadId}`);
    await seen(opened, 'Paragraph 59.');
    const [more, end] = [gate(), gate()];
    world.service.model.enqueue([
      ...[text(paragraphs(100, 103)), wait(more.passed), text(`\n\n${paragraphs(103, 160)}`), wait(end.passed)],
      text('\n\nThe end.'),
    ]);
    const late = await HeldAnswers.of(opened, { operation: 'Conversation' });
    const sending = await HeldAnswers.of(opened, { operation: 'SendMessage' });
    await write(opened, 'What now?');
    const heightPx = async (name: string) =>
      (await opened.getByRole('article', { name, exact: true }).filter({ hasText: 'What now?' }).boundingBox())?.height;
    const sentPx = await heightPx('Message, being sent');
    for (const held of [sending, late]) held.end();
    await seen(opened, 'Paragraph 102.');
    return { more, end, grewPx: ((await heightPx('Message')) ?? 0) - (sentPx ?? 0) };
  };

  /** How far the question stands below the top of the conversation. */
  const fromTop = (page: Page) =>
    page.evaluate<number>(`(() => {
      const top = (element) => element.getBoundingClientRect().top;
      const questions = [...document.querySelectorAll('.messages-scroll article')].filter((row) => row.textContent.includes('What now?'));
      return top(questions.at(-1)) - top(document.querySelector('.messages-scroll'));
    })()`);

  it.each([
    ['on a desktop', () => onDesktop],
    ['on a phone', () => world.signedIn(person, { width: 390, height: 844, isTouch: true })],
  ])('goes to the top, and nothing moves while its answer outgrows the window, %s', async (_where, open) => {
    const page = await open();
    const { more, end, grewPx } = await ask(page);
    expect(grewPx, 'when it is accepted').toBe(0);
    const before = await settledSight(page);
    expect(await fromTop(page)).toBeGreaterThanOrEqual(0);
    expect(await fromTop(page)).toBeLessThan(40);
    more.open();
    await page.getByText('Paragraph 159.').waitFor({ state: 'attached' });
    expect(movedRows(before, await settledSight(page))).toEqual([]);
    await page.getByRole('button', { name: 'Jump to the latest message' }).click();
    await expect.poll(() => page.getByText('Paragraph 159.').isVisible()).toBe(true);
    end.open();
    await answered(page);
    // Whoever has gone to the end is taken along.
    await seen(page, 'The end.');
    await expect
      .poll(() =>
        page.evaluate(`(() => { const s = document.querySelector('.messages-scroll');
        return s.scrollHeight - s.scrollTop - s.clientHeight < 80; })()`),
      )
      .toBe(true);
  });

  it('goes to the top also when it is sent before the conversation has loaded', async () => {
    world.service.model.enqueue([text(paragraphs(0, 60))], [text('Now this.')]);
    const { threadId } = await person.rest.readyThread({ text: 'Before' });
    const page = onDesktop;
    const late = await HeldAnswers.of(page, { operation: 'Conversation' });
    await page.goto(`/threads/${threadId}`);
    await late.waitFor(1);
    await write(page, 'What now?');
    await page.getByRole('article').getByText('What now?').waitFor();
    late.end();
    await page.getByText('Paragraph 59.').waitFor({ state: 'attached' });
    await settledSight(page);
    expect(await fromTop(page)).toBeGreaterThanOrEqual(0);
    expect(await fromTop(page)).toBeLessThan(40);
  });
});
