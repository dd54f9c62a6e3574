/**
 * What Markdown of an answer means beyond its usual marks. Formulas are MathML, prices are text, and a formula can do nothing but
 * show. In Chinese, Japanese and Korean, which have no spaces between words and punctuation of their own, it means what its writer
 * means: marks beside such punctuation are marks, and an address of the web ends before it. Whatever else ends there would be a
 * link to another host, since browsers read an ideographic full stop as a dot.
 */
import fc from 'fast-check';
import type { Page } from 'playwright-core';
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import ReactMarkdown, { type Options } from 'react-markdown';
import { beforeAll, describe, expect, it } from 'vitest';
import { rehypeLateAddresses } from '../../../src/web/conversation/markdown/addresses/late-addresses.js';
import { remarkGfm } from '../../../src/web/conversation/markdown/gfm.js';
import { withMathFences } from '../../../src/web/conversation/markdown/math-blocks.js';
import { remarkFormulas } from '../../../src/web/conversation/markdown/math-syntax.js';
import { isStress, propertyRuns } from '../../support/case-counts.js';
import { gate, text, wait } from '../../support/model/model-script.js';
import { newcomer } from '../../support/threads.js';
import { describeWeb } from '../browser.js';
import { answered, answeredThread, answers, seen, startThread, write } from '../pages/pages.js';

const shownBy = (options: Options, source: string) =>
  renderToStaticMarkup(createElement(ReactMarkdown, options, source));
const render = (source: string) => shownBy({ remarkPlugins: [remarkGfm, remarkFormulas] }, source);

describe('formulas in a line', () => {
  it.each([
    ['$x^2$', 'x^2'],
    ['is $2x + 1$, so', '2x + 1'],
    ['$a_1 * b_2 * c_3$', 'a_1 * b_2 * c_3'],
    ['\\(a_b\\) there', 'a_b'],
    ['the $n$-th', 'n'],
    ['costs $5 and $6, where $y$ holds', 'y'],
    ['公式$x^2$很重要', 'x^2'],
    ['（$x$）、$y$。', 'y'],
    ['データ$n$個、$5と$6', 'n'],
    ['변수$y$는', 'y'],
    ['ค่า$z$คือ', 'z'],
  ])('%s is one', (source, formula) => {
    expect(render(source)).toContain(`<var class="">${formula}</var>`);
  });

  it.each(['$$x$$ in words', 'so \\[x\\] in words'])('%s is a displayed one', (source) => {
    expect(render(source)).toContain('<var class="math-block">x</var>');
  });

  it.each([
    'costs $5 and $6',
    'from $5-$6 or $10/$20',
    'US$5, CA$7 and 8$',
    '$5 or 6$',
    '价格$5和$6元',
    '从$5到$10，或者$20。',
    ...['花了$5或6$。', '变量$HOME和$PATH', 'run $HOME/bin:$PATH now', '`$x$` and `\\(y\\)`', 'an escaped \\$x\\$'],
    ...['$ x $', '\\\\(x\\\\)', '$x', '\\(x'],
  ])('%s is none', (source) => {
    expect(render(source)).not.toContain('<var');
  });

  it.each(['$a ', '\\(', '$$a\n\n', '\\[ $', '\\(a\\['])('gives up what never ends, as %j', (piece) => {
    expect(render(piece.repeat((isStress ? 100_000 : 10_000) / piece.length))).not.toContain('<var');
  });
});

describe('withMathFences', () => {
  it.each([
    ['$$\na\n= b\n$$', '```math\na\n= b\n```'],
    ['So:\n\\[ a \\]\nand', 'So:\n```math\na\n```\nand'],
    ['- \\[\n  - b\n  \\]', '- ```math\n  - b\n  ```'],
    ['So:\n\\begin{align*}\na &= b\n\\end{align*}', 'So:\n```math\n\\begin{align*}\na &= b\n\\end{align*}\n```'],
    ['> So:\n> $$\n> a\n> $$\n> > \\[b\\]\nEnd', '> So:\n> ```math\n> a\n> ```\n> > ```math\n> > b\n> > ```\nEnd'],
  ])('fences %j', (source, fenced) => {
    expect(withMathFences(source, false).replaceAll(/ +/g, ' ')).toBe(fenced.replaceAll(/ +/g, ' '));
  });

  it.each([
    ...['```\n$$\nx\n$$\n```', '$$x$$ in words', '$$\nx\n\n$$', '    $$x$$', '\\[x', '>a\n>\n>$$'],
    ...['\\begin{a}\n\\end{a}', `\\[a\\]${' '.repeat(300_000)}x`],
  ])('leaves %.100j', (source) => {
    expect(withMathFences(source, false)).toBe(source);
  });

  it('keeps an open formula in an open fence only while the text grows', () => {
    expect(withMathFences('Now\n\n$$\na + b', true)).toBe('Now\n\n```math\na + b');
    expect(withMathFences('Now\n\n$$\na + b', false)).toBe('Now\n\n$$\na + b');
    expect(withMathFences('> $$\n> a', true)).toBe('> ```math\n> a');
    expect(withMathFences('> $$\n> a\n\nEnd', true)).toBe('> $$\n> a\n\nEnd');
  });

  it.each(['> $$a\n>\n', '> > $$ ', '```\n> $$\n'])('reads 100,000 characters of %j a few times only', (piece) => {
    const source = piece.repeat(100_000 / piece.length);
    expect(withMathFences(source, false)).toBe(source);
  });

  it('never throws, whatever arrives', () => {
    const pieces = fc.array(
      fc.constantFrom(
        '$',
        '$$',
        '\\[',
        '\\]',
        '\\(',
        '\\)',
        '> ',
        '\\begin{align}',
        '\\end{align}',
        '\n',
        '\n\n',
        '- ',
        '`',
        '```',
        'x',
        ' ',
      ),
    );
    fc.assert(
      fc.property(pieces, fc.boolean(), (parts, isGrowing) => {
        render(withMathFences(parts.join(''), isGrowing));
      }),
      { numRuns: propertyRuns(100) },
    );
  });
});

const link = (url: string, shown = url) => `<a href="${url}">${shown}</a>`;
const site = link('https://example.com');
const www = link('http://www.example.com', 'www.example.com');

/** What is written, and what is shown: a paragraph each. */
const paragraphs: Record<string, [written: string, shown: string][]> = {
  'emphasis beside full-width punctuation': [
    ['这是**我想做的事。**所以继续。', '这是<strong>我想做的事。</strong>所以继续。'],
    ['**「引用」**です', '<strong>「引用」</strong>です'],
    ['太郎は**「こんにちわ」**といった', '太郎は<strong>「こんにちわ」</strong>といった'],
    ['이 **용어(This term)**를 강조', '이 <strong>용어(This term)</strong>를 강조'],
    ['请看*《红楼梦》*这本书', '请看<em>《红楼梦》</em>这本书'],
    ['**注意：**请***先***保存', '<strong>注意：</strong>请<em><strong>先</strong></em>保存'],
    ['我可以**使用`code`**吗', '我可以<strong>使用<code>code</code></strong>吗'],
    ['~~删掉。~~保留', '<del>删掉。</del>保留'],
    ['snake_case_name 与 2 * 3 * 4', 'snake_case_name 与 2 * 3 * 4'],
  ],
  'one tilde as text': [
    ['大约3~5天，价格100~200元。', '大约3~5天，价格100~200元。'],
    ['午後3時~5時、~10人~', '午後3時~5時、~10人~'],
    ['About 3~5 days, 100~200 euros, and ~~gone~~', 'About 3~5 days, 100~200 euros, and <del>gone</del>'],
  ],
  addresses: [
    ['请访问 https://example.com。谢谢', `请访问 ${site}。谢谢`],
    ['请访问https://example.com，谢谢', `请访问${site}，谢谢`],
    ['（参见https://example.com）', `（参见${site}）`],
    ['「https://example.com/a」と', `「${link('https://example.com/a')}」と`],
    ['“https://example.com/?q=1”！', `“${link('https://example.com/?q=1')}”！`],
    ['《https://example.com》、https://example.com；', `《${site}》、${site}；`],
    ['看https://example.com——好', `看${site}——好`],
    ['看https://example.com…好', `看${site}…好`],
    ['请访问https://example.com查看详情。', `请访问${site}查看详情。`],
    ['https://example.com:8080からどうぞ/', `${link('https://example.com:8080')}からどうぞ/`],
    ['https://abc日本.jp', link('https://xn--abc-v08fl0d.jp', 'https://abc日本.jp')],
    ['https://example.com．evil', `${site}．evil`],
    ['https://example.com｡evil', `${site}｡evil`],
    ['https://example.com.。好', `${site}.。好`],
    ['网址：www.example.com。谢谢', `网址：${www}。谢谢`],
    ['请访问www.example.com，或www.example.com。', `请访问${www}，或${www}。`],
    ['[见：www.example.com。谢谢] https://example.com', `[见：${www}。谢谢] ${site}`],
    ['见 www.example.com/a。谢谢', `见 ${link('http://www.example.com/a', 'www.example.com/a')}。谢谢`],
    [
      'https://例え.jp/路径（甲）',
      `${link('https://xn--r8jz45g.jp/%E8%B7%AF%E5%BE%84', 'https://例え.jp/路径')}（甲）`,
    ],
    ['اقرأ https://example.com، ثم', `اقرأ ${site}، ثم`],
    ['देखें https://example.com।', `देखें ${site}।`],
  ],
  'addresses in marks': [
    ['**https://example.com**', `<strong>${site}</strong>`],
    ['**https://example.com**。谢谢', `<strong>${site}</strong>。谢谢`],
    ['**https://example.com**谢谢', `<strong>${site}</strong>谢谢`],
    ['**请访问https://example.com。**谢谢', `<strong>请访问${site}。</strong>谢谢`],
    ['**www.example.com**谢谢', `<strong>${www}</strong>谢谢`],
    ['See **https://example.com/a**: good', `See <strong>${link('https://example.com/a')}</strong>: good`],
  ],
  'addresses as everywhere else': [
    ['See https://example.com/a_(b)?c=d&e=f#g. Then', `See ${link('https://example.com/a_(b)?c=d&amp;e=f#g')}. Then`],
    ['See https://example.com/a*b*c/d', `See ${link('https://example.com/a*b*c/d')}`],
    [
      'https://example.com/Cauchy–Schwarz and https://example.com/ス・ジ',
      `${link('https://example.com/Cauchy%E2%80%93Schwarz', 'https://example.com/Cauchy–Schwarz')} and ${link('https://example.com/%E3%82%B9%E3%83%BB%E3%82%B8', 'https://example.com/ス・ジ')}`,
    ],
    ['[甲。乙](https://example.com/甲。乙)', link('https://example.com/%E7%94%B2%E3%80%82%E4%B9%99', '甲。乙')],
  ],
};

const renderAddresses = (source: string) =>
  shownBy({ remarkPlugins: [remarkGfm], rehypePlugins: [rehypeLateAddresses] }, source);

describe('addresses without spaces between them', () => {
  const times = isStress ? 4000 : 1000;

  // Each would be read to the end of the text by every letter that could begin an address.
  it.each([
    ['https://a.com**', times],
    ['https://a.com。', times],
    ['网址：www.a.com。', times],
    ['https://a.com](', times],
    ['https://', 1],
    ['h-', 0],
    ['https://a.com/...', 1],
  ])('are read once: many times %j', (piece, links) => {
    expect(renderAddresses(piece.repeat(times)).split('<a ').length - 1).toBe(links);
  });
});

describeWeb('in the browser', (world) => {
  let page: Page;
  beforeAll(async () => {
    page = await world.signedIn(await newcomer(world.service));
  });

  describe('formulas', () => {
    const source =
      '公式$x^2$很重要，**$y$。**\n\n> 所以\n> $$\n> z\n> $$\n\n\\begin{align}\na &= b \\\\\nc &= d\n\\end{align}\n\nEnd';

    it('are MathML, in Chinese, in quotations and as environments too, while the answer grows and in the end, keep what is incomplete as its source, and load their renderer only then', async () => {
      const scripts: string[] = [];
      page.on('request', (request) => scripts.push(request.url()));
      const isLoaded = () => scripts.some((url) => url.includes('formula-renderer'));
      world.service.model.enqueue([text('It costs $5 and $6.')]);
      await answeredThread(page, 'Prices');
      expect(isLoaded()).toBe(false);

      const [middle, end] = [gate(), gate()];
      world.service.model.enqueue([
        text('First $x_1$.\n\n\\[\n\\frac{a'),
        wait(middle.passed),
        text(`}{b}\n\\]\n\n${source}`),
        wait(end.passed),
      ]);
      await write(page, 'Formulas');
      const answer = answers(page).nth(1);
      await answer.locator('math msub').waitFor();
      await answer.locator('pre', { hasText: '\\frac{a' }).waitFor();
      expect(isLoaded()).toBe(true);
      middle.open();
      await seen(page, 'End');
      const counts = async () => ({
        formulas: await answer.locator('math').count(),
        blocks: await answer.locator('.rich > * math[display=block] mfrac, .rich > math[display=block] mfrac').count(),
        quoted: await answer.locator('blockquote math[display=block]').count(),
        rows: await answer.locator('mtable mtr').count(),
        sources: await answer.locator('pre').count(),
      });
      const expected = { formulas: 6, blocks: 1, quoted: 1, rows: 2, sources: 0 };
      await expect.poll(counts).toEqual(expected);
      expect(await answer.locator('.rich').innerText()).not.toMatch(/[$\\]/);
      end.open();
      await answered(page);
      await expect.poll(counts).toEqual(expected);
    });

    it('may have as many spaces and names of operators as they have room for, and macros with parameters', async () => {
      const terms = Array.from({ length: 60 }, (_, index) => `c_{${index}} \\, \\operatorname{E}[X^{${index}}]`);
      world.service.model.enqueue([text(`$$${terms.join(' + ')}$$`)]);
      await answeredThread(page, 'A long formula');
      await expect.poll(() => answers(page).locator('math msup').count()).toBe(60);
      const macros = [
        '\\newcommand{\\ip}[2]{\\langle #1, #2 \\rangle}\\ip{x^2}{y}',
        '\\def\\half#1{\\frac{#1}{2}}\\half{x}',
      ];
      world.service.model.enqueue([text(macros.map((macro) => `$$${macro}$$`).join('\n\n'))]);
      await write(page, 'With macros');
      await expect.poll(() => answers(page).nth(1).locator('math :is(msup, mfrac)').count()).toBe(2);
    });

    it('hold no link, style, class or image, and none stops the page', async () => {
      const nested = `\\a{${'x'.repeat(280)}\\a{${'x'.repeat(280)}}}`;
      const hostile = [
        '$\\href{javascript:window.hacked=1}{x}$',
        '$\\url{javascript:window.hacked=1}$',
        '$\\htmlClass{evil}{x} \\htmlStyle{color:red}{x} \\htmlId{evil}{x}$',
        '$\\class{evil}{x}\\style{position:fixed}{x}\\id{evil}{x}\\data{evil=1}{x}$',
        '$\\includegraphics{https://evil.test/x.png}$',
        '$\\text{<img src=x onerror=window.hacked=1>}$',
        '$\\color{red}{x}\\rule{900em}{900em}\\boxed{x}$',
        '$\\def\\a{\\a\\a}\\a$',
        '$\\def\\a#1{\\a{#1#1}}\\a{x}$',
        ...Array.from({ length: 8 }, (_, index) => `$$\nx_${index}\\def\\a#1{${'#1'.repeat(200)}}${nested}\n$$`),
        ...Array.from(
          { length: 8 },
          (_, index) => `$$\nx_${index}\\def\\a{${'x'.repeat(3500)}}${'\\a'.repeat(190)}\n$$`,
        ),
        `$$${'{'.repeat(900)}x${'}'.repeat(900)}$$`,
        `$$${'\\sqrt{'.repeat(300)}x${'}'.repeat(300)}$$`,
      ];
      const foreign: string[] = [];
      page.on('request', (request) => {
        if (!request.url().startsWith(world.service.url)) foreign.push(request.url());
      });
      world.service.model.enqueue([text([...hostile, 'In the end $z$.'].join('\n\n'))]);
      await answeredThread(page, 'Try');
      await answers(page).locator('math mi', { hasText: 'z' }).waitFor();
      expect(await page.evaluate('window.hacked')).toBeUndefined();
      expect(foreign).toEqual([]);
      const inside = answers(page).locator('.rich');
      expect(await inside.locator('a, img, script, style, [style], [id], .evil, [data-evil]').count()).toBe(0);
    });
  });

  describe('Markdown in Chinese, Japanese and Korean', () => {
    it('is shown as it is meant, while the answer grows and in the end', async () => {
      const cases = Object.values(paragraphs).flat();
      const end = gate();
      world.service.model.enqueue([text(`${cases.map(([written]) => written).join('\n\n')}\n\nEnd`), wait(end.passed)]);
      await startThread(page, 'Hello');
      await seen(page, 'End');
      const expected = [...cases.map(([, shown]) => shown), 'End'];
      await expect.poll(() => shownParagraphs(page)).toEqual(expected);
      end.open();
      await answered(page);
      expect(await shownParagraphs(page)).toEqual(expected);
    });
  });
});

/** With nothing of a link but where it leads, as the browser understands it. */
function shownParagraphs(page: Page): Promise<string[]> {
  return answers(page)
    .locator(':is(.rich, .growing) > p')
    .evaluateAll((all) =>
      all.map((paragraph) => {
        const copy = paragraph.cloneNode(true) as HTMLElement;
        for (const element of copy.querySelectorAll('*')) {
          const href = element instanceof HTMLAnchorElement ? element.href.replace(/(?<=\/\/[^/]*)\/$/, '') : null;
          for (const name of element.getAttributeNames()) element.removeAttribute(name);
          if (href !== null) element.setAttribute('href', href);
        }
        return copy.innerHTML;
      }),
    );
}
