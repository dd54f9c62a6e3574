/** What answers have beyond their words: footnotes that lead within the message, and tools for code. */
import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { beforeAll, expect, it } from 'vitest';
import { text } from '../../support/model/model-script.js';
import { newcomer } from '../../support/threads.js';
import { describeWeb } from '../browser.js';
import { focused } from '../focus.js';
import { answered, answeredThread, answers, write } from '../pages/pages.js';

describeWeb('footnotes and code in answers', (world) => {
  let page: Page;
  beforeAll(async () => {
    page = await world.signedIn(await newcomer(world.service));
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  });

  async function ask(answer: string): Promise<void> {
    world.service.model.enqueue([text(answer)]);
    await answeredThread(page, 'Please');
  }

  const focusedText = (page: Page) => page.evaluate('document.activeElement.textContent') as Promise<string>;

  it('lead to the footnote of the same message and back, by keyboard, without a change of the address', async () => {
    await ask('Tea is old[^1].\n\n[^1]: Very old.\n');
    const { model } = world.service;
    model.enqueue([text('Coffee is younger[^1]. [Not one](#fn-1)\n\n[^1]: By far.\n')]);
    await write(page, 'And coffee?');
    await answers(page).getByText('By far.').waitFor();
    // When the answer ends, what is stored takes the place of what was streamed, and a focus in it would be lost.
    await answered(page);
    const path = page.url();
    const second = answers(page).nth(1);
    await second.getByRole('link', { name: '1', exact: true }).press('Enter');
    await expect.poll(() => focusedText(page)).toContain('By far.');
    await second.getByRole('link', { name: 'Back to reference 1' }).press('Enter');
    await expect.poll(() => focusedText(page)).toBe('1');
    expect(await second.locator('sup a:focus').count()).toBe(1);
    expect(page.url()).toBe(path);
    const ids = (await page.evaluate("[...document.querySelectorAll('.rich [id]')].map(({ id }) => id)")) as string[];
    expect(new Set(ids).size).toBe(ids.length);
    expect(await second.getByRole('link', { name: 'Not one' }).count()).toBe(0);
  });

  it('are copied without TLS too, where there is no clipboard for pages, and the button keeps the focus', async () => {
    await ask('Tea.');
    await page.evaluate('Object.defineProperty(navigator, "clipboard", { value: undefined, configurable: true })');
    await answers(page).getByRole('button', { name: 'Copy answer' }).press('Enter');
    await answers(page).getByText('Copied').waitFor();
    await focused(page, 'Copy answer');
    await page.evaluate('delete navigator.clipboard');
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe('Tea.');
  });

  it('are copied as the Markdown that the model wrote, with their form for documents, and a selection without the colours of the page, its formulas as TeX; code has a language, and is wrapped, copied and saved under a name that the model does not choose', async () => {
    const table = 'It is **so**:\n\n$$\ny + 1\n$$\n\n| a | b |\n|---|---|\n| $x^2$ | `2` |\n';
    const markdown = `${table}\n\`\`\`python\nprint("tea")\n\`\`\`\n\n\`\`\`../../etc/passwd\nroot\n\`\`\`\n`;
    await ask(markdown);
    await page.locator('td math').waitFor();
    await answers(page).getByRole('button', { name: 'Copy answer' }).click();
    await answers(page).getByText('Copied').waitFor();
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(markdown);
    const html = 'navigator.clipboard.read().then(async ([item]) => (await item.getType("text/html")).text())';
    expect(await page.evaluate(html)).toMatch(/<strong>so<\/strong>.*<math.*<td[^>]*>.*<pre[^>]*><code>/s);
    expect(await page.evaluate(html), 'the name of the language').not.toContain('python');

    const [first, second] = [page.locator('.code').nth(0), page.locator('.code').nth(1)];
    await first.getByText('python', { exact: true }).waitFor();
    const wrap = first.getByRole('button', { name: 'Wrap lines' });
    await wrap.press('Enter');
    await expect.poll(() => wrap.getAttribute('aria-pressed')).toBe('true');
    const space = 'getComputedStyle(document.querySelector(".code code")).whiteSpace';
    await expect.poll(() => page.evaluate(space)).toBe('pre-wrap');
    await first.getByRole('button', { name: 'Copy code' }).click();
    await first.getByText('Copied').waitFor();
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe('print("tea")\n');
    const copied = async (selection: string) => {
      await page.evaluate(`getSelection().${selection}`);
      await page.keyboard.press('Control+c');
      return page.evaluate('navigator.clipboard.readText()');
    };
    const answer = 'selectAllChildren(document.querySelector(".message-assistant"))';
    await expect.poll(() => copied(answer)).toContain('It is so:\n\n$$y + 1$$\na\tb\n$x^2$\t2\nprint("tea")');
    expect(await copied(answer), 'the name of the language').not.toContain('python');
    expect(await page.evaluate(html)).toMatch(/<td[^>]*>.*<math>.*<\/td>/);
    const exponent = 'document.querySelector("td mn").firstChild';
    expect(await copied(`setBaseAndExtent(${exponent}, 0, ${exponent}, 1)`), 'a part of one').toBe('$x^2$');
    const code = 'document.querySelector(".code code")';
    expect(await copied(`selectAllChildren(${code})`)).toBe('print("tea")');
    expect(await page.evaluate(html)).toMatch(/<pre[^>]*><code>/);
    await copied('selectAllChildren(document.querySelector("tr"))');
    expect(await page.evaluate(html)).toMatch(/<table.*<tr/);
    await copied('selectAllChildren(document.querySelector(".plain"))');
    const types = 'navigator.clipboard.read().then(([item]) => item.types)';
    expect(await page.evaluate(types), 'of a question').toEqual(['text/plain']);
    await copied('selectAllChildren(document.querySelector(".rich strong"))');
    expect(await page.evaluate(html), 'neither the colours of the page nor a paragraph of its own').toMatch(
      /^[^<]*so[^<]*$/,
    );
    for (const [block, name, content] of [
      [first, 'code.py', 'print("tea")\n'],
      [second, 'code.txt', 'root\n'],
    ] as const) {
      const saved = page.waitForEvent('download');
      await block.getByRole('button', { name: 'Download code' }).click();
      const file = await saved;
      expect(file.suggestedFilename()).toBe(name);
      expect(await readFile(await file.path(), 'utf8')).toBe(content);
    }
  });
});
