/** What the page does while an answer streams into it: as little as it can, so that it stays smooth however long the answer is. */
import type { Page } from 'playwright-core';
import { beforeAll, expect, it } from 'vitest';
import { gate, type ModelStep, reasoning, text, wait } from '../../support/model/model-script.js';
import type { Person } from '../../support/service.js';
import { newcomer } from '../../support/threads.js';
import { describeWeb } from '../browser.js';
import { translateByBrowser } from '../language/translate-by-browser.js';
import { answered, answers, goTo, seen, startThread, write } from '../pages/pages.js';
import { mostRestyled } from '../pages/restyled.js';
import { movedRows, settledSight } from '../pages/sight.js';
import { HeldAnswers } from './held-answers.js';

const paragraphs = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, index) => `Paragraph ${from + index}.`).join('\n\n');

describeWeb('an answer that streams into the page', (world) => {
  let person: Person;
  let page: Page;
  beforeAll(async () => {
    person = await newcomer(world.service);
    page = await world.signedIn(person);
  });

  /** A thread in which an answer has begun so, and waits. */
  const begin = async (script: readonly ModelStep[], words: string): Promise<void> => {
    world.service.model.enqueue(script);
    await startThread(page, 'Tell me');
    await seen(page, words);
  };

  it('is rendered at most once per frame', async () => {
    const start = gate();
    const words = Array.from({ length: 400 }, (_, index) => text(`word${index} `));
    await begin([text('Now: '), wait(start.passed), ...words], 'Now:');
    await page.evaluate(`
      globalThis.seen = { frames: 0, changes: 0 };
      const count = () => { seen.frames += 1; requestAnimationFrame(count); };
      requestAnimationFrame(count);
      new MutationObserver(() => { seen.changes += 1; })
        .observe(document.querySelector('[aria-busy=true] .rich'), { subtree: true, childList: true, characterData: true });
    `);
    start.open();
    await answered(page);
    const { frames, changes } = await page.evaluate<{ frames: number; changes: number }>('seen');
    expect(changes).toBeGreaterThan(0);
    expect(changes).toBeLessThanOrEqual(frames + 1);
  });

  it('goes on in a page that the browser translates, with all of its words, and has its code as it was written', async () => {
    const [more, end] = [gate(), gate()];
    const opening = 'First.\n\n```\nlet code = 1;\n```\n\n**Bold *and*';
    await begin(
      [text(opening), wait(more.passed), text(' more** words'), wait(end.passed), text(', and an end.')],
      'Bold',
    );
    await seen(page, 'let code = 1;');
    await translateByBrowser(page);
    const written = () => answers(page).last().locator('.rich').innerText();
    more.open();
    await expect.poll(written).toMatch(/First\..*let code = 1;.*Bold and more words$/s);
    end.open();
    await answered(page);
    await expect.poll(written).toMatch(/Bold and more words, and an end\.$/);
    expect(await page.locator('.code font').count()).toBe(0);
  });

  it('is styled where it grows, and not as a whole with each line', async () => {
    const [more, end] = [gate(), gate()];
    const items = (count: number) => Array.from({ length: count }, (_, index) => text(`- Of ${count}: ${index}.\n`));
    await begin([...items(100), wait(more.passed), ...items(10), wait(end.passed)], 'Of 100: 99.');
    const styled = await mostRestyled(page, async () => {
      more.open();
      await seen(page, 'Of 10: 9.');
      await settledSight(page);
    });
    expect(styled).toBeLessThan(100);
    end.open();
    await answered(page);
  });

  it('does not render complete blocks again, and colours code when it is complete, and not before', async () => {
    const middle = gate();
    const end = gate();
    await begin(
      [
        text('First paragraph.\n\n```ts\nconst a = 1;\n```\n\nSecond para'),
        wait(middle.passed),
        text('graph.\n\nThird one'),
        wait(end.passed),
      ],
      'Second para',
    );
    const touched = `[...document.querySelectorAll('[aria-busy=true] .rich > *')].filter((block) => block.touched).length`;
    await page.locator('.hljs-keyword').first().waitFor();
    await page.evaluate(`
      for (const block of [...document.querySelectorAll('[aria-busy=true] .rich > *')].slice(0, 2))
        new MutationObserver(() => { block.touched = true; })
          .observe(block, { subtree: true, childList: true, characterData: true, attributes: true });
      globalThis.firstBlocks = [...document.querySelectorAll('[aria-busy=true] .rich > *')].slice(0, 2);
    `);
    middle.open();
    await seen(page, 'Third one');
    expect(await page.evaluate(touched)).toBe(0);
    expect(await page.evaluate('firstBlocks.every((block) => block.isConnected)')).toBe(true);
    end.open();
    await answered(page);

    const [half, whole] = [gate(), gate()];
    world.service.model.enqueue([
      text('```ts\nconst half = '),
      wait(half.passed),
      text('1;\n```\n\nSo.'),
      wait(whole.passed),
    ]);
    await write(page, 'And code?');
    await seen(page, 'const half');
    const answer = answers(page).nth(1);
    await expect.poll(() => answer.locator('pre code').innerText()).toBe('const half = ');
    expect(await answer.locator('.hljs-keyword').count()).toBe(0);
    half.open();
    await answer.locator('.hljs-keyword').first().waitFor();
    whole.open();
    await answered(page);
    await expect.poll(() => answer.locator('pre').innerText()).toBe('const half = 1;\n');
  });

  it('stays in the page when it ends: what is selected, scrolled or opened in it stays so', async () => {
    const end = gate();
    const line = `const words = '${'many words '.repeat(40)}';`;
    await begin(
      [
        reasoning('Hm.'),
        text(`A first paragraph.\n\n\`\`\`ts\n${line}\n\`\`\`\n\nThe la`),
        wait(end.passed),
        text('st.'),
      ],
      'The la',
    );
    const answer = page.locator('[aria-busy=true]');
    await answer.locator('.hljs-keyword').first().waitFor();
    await answer.locator('summary').click();
    await page.evaluate(`{
      const answer = document.querySelector('[aria-busy=true]');
      globalThis.kept = [answer, ...answer.querySelectorAll('.rich > *:not(:last-child)')];
      answer.querySelector('pre').scrollLeft = 100;
      getSelection().selectAllChildren(answer.querySelector('.rich > p'));
    }`);
    end.open();
    await answered(page);
    expect(await answers(page).locator('.rich').innerText()).toContain('The last.');
    expect(await page.evaluate('kept.length === 3 && kept.every((element) => element.isConnected)')).toBe(true);
    expect(await page.evaluate('getSelection().toString()')).toBe('A first paragraph.');
    expect(await page.evaluate('document.querySelector("pre").scrollLeft')).toBe(100);
    expect(await page.evaluate('document.querySelector("details.thinking").open')).toBe(true);
  });

  it('shows a long list and a long table as one while they grow, as they are in the end', async () => {
    const items = Array.from({ length: 60 }, (_, index) => `${index + 5}. An item of some words, **number** ${index}.`);
    const rows = Array.from({ length: 60 }, (_, index) => `| ${index} | some words in a cell of the row | and more |`);
    const [list, table] = [gate(), gate()];
    const head = '\n\n| number | words | more |\n|---|---|---|\n';
    await begin(
      [text(items.join('\n')), wait(list.passed), text(head + rows.join('\n')), wait(table.passed)],
      'number 59.',
    );
    const shape = async () => ({
      lists: await answers(page).locator('ol').count(),
      start: await answers(page).locator('ol').getAttribute('start'),
      items: await answers(page).locator('ol > li').count(),
      strong: await answers(page).locator('li > strong').count(),
    });
    const tableShape = async () => ({
      tables: await answers(page).locator('table').count(),
      heads: await answers(page).locator('thead').count(),
      rows: await answers(page).locator('tbody > tr').count(),
    });
    const whole = { lists: 1, start: '5', items: 60, strong: 60 };
    await expect.poll(shape).toEqual(whole);
    list.open();
    await answers(page).getByRole('cell', { name: '59', exact: true }).waitFor();
    await expect.poll(tableShape).toEqual({ tables: 1, heads: 1, rows: 60 });
    table.open();
    await answered(page);
    await expect.poll(shape).toEqual(whole);
    await expect.poll(tableShape).toEqual({ tables: 1, heads: 1, rows: 60 });
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
    ['on a desktop', () => page],
    ['on a phone', () => world.signedIn(person, { width: 390, height: 844, isTouch: true })],
  ])('has its question at the top, and moves nothing while it outgrows the window, %s', async (_where, open) => {
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

  it('has its question at the top also when that is sent before the conversation has loaded', async () => {
    world.service.model.enqueue([text(paragraphs(0, 60))], [text('Now this.')]);
    const { threadId } = await person.rest.readyThread({ text: 'Before' });
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
