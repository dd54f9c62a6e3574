/**
 * Markdown in Chinese, Japanese and Korean, which have no spaces between words and punctuation of their own, means what its writer
 * means: marks beside such punctuation are marks, and an address of the web ends before it. Whatever else ends there would be a
 * link to another host, since browsers read an ideographic full stop as a dot.
 */
import type { Page } from 'playwright-core';
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import ReactMarkdown, { type Options } from 'react-markdown';
import { describe, expect, it } from 'vitest';
import { rehypeLateAddresses } from '../../../src/web/conversation/markdown/addresses/late-addresses.js';
import { remarkGfm } from '../../../src/web/conversation/markdown/gfm.js';
import { isStress } from '../../support/case-counts.js';
import { gate, text, wait } from '../../support/model/model-script.js';
import { newcomer } from '../../support/threads.js';
import { describeWeb } from '../browser.js';
import { answered, answers, seen, startThread } from '../pages/pages.js';

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

const plugins: Options['remarkPlugins'] = [remarkGfm];
const render = (source: string) =>
  renderToStaticMarkup(
    createElement(ReactMarkdown, { remarkPlugins: plugins, rehypePlugins: [rehypeLateAddresses] }, source),
  );

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
    expect(render(piece.repeat(times)).split('<a ').length - 1).toBe(links);
  });
});

describeWeb('Markdown in Chinese, Japanese and Korean', (world) => {
  it('is shown as it is meant, while the answer grows and in the end', async () => {
    const page = await world.signedIn(await newcomer(world.service));
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
