/** A conversation on paper, or in a PDF: all that is loaded of it, and nothing that is only of use on a screen. */
import type { Page } from 'playwright-core';
import { afterEach, beforeAll, expect, it } from 'vitest';
import { text } from '../../support/model/model-script.js';
import type { Person } from '../../support/service.js';
import { newcomer } from '../../support/threads.js';
import { describeWeb } from '../browser.js';
import { answered, goTo } from '../pages/pages.js';
import { richAnswer } from '../rich-answer.js';
import { drawn } from './held-answers.js';
import { addMessages } from './long-thread.js';

describeWeb('printing a conversation', (world) => {
  let person: Person;
  let page: Page;
  beforeAll(async () => {
    person = await newcomer(world.service, { name: 'Ada Lovelace' });
    page = await world.signedIn(person, { dark: true });
  });
  const show = async ({ threadId, messageId }: { threadId: string; messageId: string }) => {
    await goTo(page, `/threads/${threadId}`);
    await page.locator(`article[id=${messageId}]`).waitFor();
    await answered(page);
  };
  afterEach(async () => {
    await page.emulateMedia({ media: 'screen' });
    await page.evaluate("dispatchEvent(new Event('afterprint'))");
  });

  it('has every loaded message, black on white, with its author and its full date, with long lines of code wrapped, and no part of the frame around them', async () => {
    const { threadId } = await person.rest.readyThread({ text: 'Hello', name: 'On paper' });
    await addMessages(world.service, { threadId, count: 40 });
    world.service.model.enqueue([text(`\`\`\`js\nconst all = [${'1234567890, '.repeat(40)}];\n\`\`\``)]);
    await person.rest.answer(await person.rest.send(threadId, 'Some code'));
    await goTo(page, `/threads/${threadId}`);
    await answered(page);
    const messages = page.locator('.message');
    await expect.poll(() => messages.count()).toBeLessThan(30);
    const place = async () => (await messages.last().boundingBox())?.y;
    const before = await place();
    expect(pagesOf(await page.pdf({ format: 'A4' }))).toBeGreaterThan(4);
    await expect.poll(() => messages.count()).toBeLessThan(30);
    expect(await place()).toBe(before);

    await page.evaluate("dispatchEvent(new Event('beforeprint'))");
    await page.emulateMedia({ media: 'print' });
    await drawn(page);
    expect(await messages.count()).toBe(44);
    await page.getByRole('heading', { name: 'On paper', exact: true }).waitFor();
    expect(await page.getByRole('button').or(page.getByRole('textbox')).or(page.getByRole('navigation')).count()).toBe(
      0,
    );
    const paper = await page.evaluate(() => {
      const { scrollHeight, scrollWidth, clientWidth } = document.documentElement;
      const { color, backgroundColor } = getComputedStyle(document.body);
      const list = document.querySelector('.messages')?.getBoundingClientRect();
      const isCut = Math.floor(list?.bottom ?? 0) > scrollHeight;
      return { color, backgroundColor, isCut, widths: new Set([scrollWidth, clientWidth, list?.width]).size };
    });
    expect(paper).toEqual({ color: 'rgb(0, 0, 0)', backgroundColor: 'rgb(255, 255, 255)', isCut: false, widths: 1 });
    const first = messages.first();
    expect((await first.getByRole('heading').boundingBox())?.width).toBeGreaterThan(20);
    const heading = first.getByRole('heading');
    expect(await heading.evaluate((element) => getComputedStyle(element, '::after').content)).toBe(
      '"Message from Ada Lovelace"',
    );
    const date = await first
      .locator('time')
      .evaluate((time) => ({ title: time.getAttribute('title'), shown: getComputedStyle(time, '::after').content }));
    expect(date.title).toContain(`${new Date().getFullYear()}`);
    expect(date.shown).toBe(JSON.stringify(date.title));
    const tops = await messages.evaluateAll((all) => all.map((message) => message.getBoundingClientRect().top));
    expect(tops, 'one below the other').toEqual(tops.toSorted((one, other) => one - other));
    expect(new Set(tops).size).toBe(44);
    const code = await page.locator('.code pre').evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth);
    expect(code).toBe(0);
  });

  it('cuts no formula that is wider than the paper: the page, which browsers shrink to the paper, is as wide', async () => {
    world.service.model.enqueue([text(`$$\n${'x_1 + '.repeat(60)} x_2\n$$`)]);
    await show(await person.rest.readyThread({ text: 'Hello' }));
    await page.emulateMedia({ media: 'print' });
    const end = () =>
      page
        .locator('.formula-block mrow')
        .last()
        .evaluate((row) => row.getBoundingClientRect().right);
    await expect.poll(end).toBeGreaterThan(1280);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeGreaterThanOrEqual(await end());
  });

  it('breaks no word in the head of a table, and no number', async () => {
    world.service.model.enqueue([text(richAnswer)]);
    await show(await person.rest.readyThread({ text: 'Hello' }));
    // The width of A4 within margins of 2 cm; browsers leave narrower ones.
    await page.setViewportSize({ width: 643, height: 1000 });
    await page.emulateMedia({ media: 'print' });
    const heads = page.getByRole('columnheader', { name: /^(Duration|Owner)$/ });
    const numbers = page.getByRole('cell', { name: /^[\d,]+$/ });
    const lines = await heads.or(numbers).evaluateAll((cells) =>
      cells.map((cell) => {
        const words = document.createRange();
        words.selectNodeContents(cell);
        return words.getClientRects().length;
      }),
    );
    expect(lines).toEqual(Array.from({ length: 8 }, () => 1));
  });
});

/** How many pages a PDF of Chromium has. */
function pagesOf(pdf: Buffer): number {
  return pdf.toString('latin1').match(/\/Type\s*\/Page\b/g)?.length ?? 0;
}
