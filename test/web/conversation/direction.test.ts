/** Arabic and Hebrew run from the right wherever a person or a model writes them, and what stands beside them runs as it did. */
import type { Locator, Page } from 'playwright-core';
import { beforeAll, expect, it } from 'vitest';
import { gate, type ModelStep, reasoning, text, toolCall, wait } from '../../support/model/model-script.js';
import { newcomer } from '../../support/threads.js';
import { describeWeb } from '../browser.js';
import { answered, answers, composer, seen, startThread, threadList, write } from '../pages/pages.js';

const hebrew = 'שלום לכולם';
const arabic = 'مرحبا بالجميع';

/** Every kind of block, from the right and from the left. */
const blocks = `# ${hebrew}

A paragraph in English, which ends in ${hebrew}.

\`npm install\` ${hebrew}, with English at the end.

- ${hebrew}
- English
  - ${arabic}

1. ${arabic}

   ${hebrew}

> ${hebrew}

| ${hebrew} | Price |
|---|---|
| ${arabic} | 12 |

\`\`\`js
const greeting = '${hebrew}';
\`\`\`

123`;

const laidOut = {
  heading: 'rtl',
  english: 'ltr',
  afterCode: 'rtl',
  inlineCode: 'ltr',
  list: 'rtl',
  items: ['rtl', 'ltr', 'rtl', 'rtl'],
  looseItem: ['rtl', 'rtl'],
  quote: ['rtl', 'rtl'],
  table: 'rtl',
  cells: ['rtl', 'ltr', 'rtl', 'rtl'],
  code: 'ltr',
  digits: 'ltr',
};

/** By the selectors of what they become. */
const long = {
  ul: Array.from({ length: 80 }, (_, index) => `- ${hebrew} ${hebrew} ${index}`),
  table: ['| א | ב |', '|---|---|', ...Array.from({ length: 80 }, (_, index) => `| ${hebrew} ${hebrew} | ${index} |`)],
};

describeWeb('text from the right', (world) => {
  let page: Page;
  beforeAll(async () => {
    page = await world.signedIn(await newcomer(world.service));
  });

  it('lays out names of threads, in the list, the header and their field, and what a search finds', async () => {
    await talk([text(`Found: ${hebrew}`)], 'Found', arabic);
    await answered(page);
    await expect.poll(() => directions(threadList(page).locator('.thread-name bdi'))).toEqual(['rtl']);
    await expect.poll(() => directions(page.getByRole('heading', { name: arabic }).locator('bdi'))).toEqual(['rtl']);
    await threadList(page).getByRole('link').first().press('F2');
    await expect.poll(() => directions(page.getByRole('textbox', { name: 'Thread name' }))).toEqual(['rtl']);
    await page.keyboard.press('Escape');
    await write(page, hebrew);
    const search = page.getByRole('searchbox', { name: 'Search threads' });
    await search.fill('שלום');
    await expect.poll(() => directions(search)).toEqual(['rtl']);
    await page.locator('.thread-hit mark').first().waitFor();
    await expect.poll(() => directions(page.locator('.thread-hit bdi'))).toEqual(['rtl']);
    await search.clear();
    await answered(page);
  });

  it('gives each block of an answer its own direction, with marks, bars and cells at the right, and long lists and tables, while it grows and when it is complete', async () => {
    const ask = async (answer: string, words: string): Promise<() => Promise<void>> => {
      const end = gate();
      world.service.model.enqueue([text(answer), wait(end.passed)]);
      await page.getByRole('link', { name: 'New thread' }).click();
      await write(page, 'Hello');
      await seen(page, words);
      return async () => {
        end.open();
        await answered(page);
      };
    };
    const endBlocks = await ask(blocks, '123');
    await expect.poll(() => layoutOf(page)).toEqual(laidOut);
    await endBlocks();
    await expect.poll(() => layoutOf(page)).toEqual(laidOut);
    const style = (selector: string, property: string) =>
      answers(page)
        .locator(selector)
        .first()
        .evaluate((element, name) => getComputedStyle(element).getPropertyValue(name), property);
    expect(await style('.rich > ul', 'padding-right')).toBe('24px');
    expect(await style('blockquote', 'border-right-width')).toBe('3px');
    expect(await style('blockquote', 'border-left-width')).toBe('0px');
    expect(await style('th', 'text-align')).toBe('start');
    expect(await rightEdges(page, '.table, table')).toHaveLength(1);

    for (const [outer, source] of Object.entries(long)) {
      const end = await ask(source.join('\n'), '79');
      await expect.poll(() => directions(answers(page).locator(outer))).toEqual(['rtl']);
      await end();
      await expect.poll(() => directions(answers(page).locator(outer))).toEqual(['rtl']);
    }
  });

  it('lays out what people write and models think: messages, on their way too, thoughts, questions, choices and drafts', async () => {
    const question = { question: `${hebrew}?`, choices: [hebrew, 'English'] };
    const asked = [...toolCall({ id: 'c1', name: 'user_get_choice', arguments: question })];
    const end = gate();
    await talk([reasoning(arabic), wait(end.passed), ...asked], 'Thinking…', `${hebrew}!\nEnglish.`);
    await expect.poll(() => directions(page.locator('.thinking > p'))).toEqual(['rtl']);
    await expect.poll(() => directions(page.locator('.message-user > .plain'))).toEqual(['rtl']);
    end.open();
    await seen(page, `${hebrew}?`);
    const bubble = page.getByRole('article', { name: 'Message' }).locator('.plain');
    await expect.poll(() => directions(bubble)).toEqual(['rtl']);
    expect(await bubble.evaluate((element) => getComputedStyle(element).unicodeBidi)).toBe('plaintext');
    await expect.poll(() => directions(answers(page).getByText(`${hebrew}?`))).toEqual(['rtl']);
    await expect.poll(() => directions(page.locator('.choices-buttons .button'))).toEqual(['rtl', 'ltr']);
    await expect.poll(() => directions(composer(page))).toEqual(['ltr']);
    await composer(page).fill(arabic);
    await expect.poll(() => directions(composer(page))).toEqual(['rtl']);
    await composer(page).fill('English');
    await expect.poll(() => directions(composer(page))).toEqual(['ltr']);
  });

  /** A conversation in which the words of the answer are seen. */
  async function talk(script: readonly ModelStep[], words: string, first = 'Hello'): Promise<void> {
    world.service.model.enqueue(script);
    await startThread(page, first);
    await seen(page, words);
  }
});

/** Where the elements end at the right, each place once. */
async function rightEdges(page: Page, selector: string): Promise<number[]> {
  const all = answers(page).locator(selector);
  const edges = await all.evaluateAll((found) => found.map((element) => element.getBoundingClientRect().right));
  return [...new Set(edges)];
}

function directions(elements: Locator): Promise<string[]> {
  return elements.evaluateAll((all) => all.map((element) => getComputedStyle(element).direction));
}

async function layoutOf(page: Page): Promise<typeof laidOut> {
  await answers(page).locator(':is(.rich, .growing) > p').last().waitFor();
  const all = (selector: string) => directions(answers(page).locator(selector));
  const [heading = ''] = await all('h2:not(.visually-hidden)');
  const [english = '', afterCode = '', digits = ''] = await all(':is(.rich, .growing) > p');
  const [inlineCode = ''] = await all('p > code');
  const [list = ''] = await all('.rich > ul');
  const [table = ''] = await all('table');
  const [code = ''] = await all('pre');
  return {
    ...{ heading, english, afterCode, inlineCode, list, table, code, digits },
    items: await all('li'),
    looseItem: await all('li > p'),
    quote: await all('blockquote, blockquote > p'),
    cells: await all('th, td'),
  };
}
