/** HTML that a model writes is text like any other: none of it is lost. `test/web/pages/hostile.test.ts` tells that none of it runs. */
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import ReactMarkdown from 'react-markdown';
import { expect, it } from 'vitest';
import { html, remarkGfm } from '../../../src/web/conversation/markdown/gfm.js';

const options = { remarkPlugins: [remarkGfm], remarkRehypeOptions: { handlers: { html } } };

it.each([
  ['a List<String> of <i>x</i>', '<p>a List&lt;String&gt; of &lt;i&gt;x&lt;/i&gt;</p>'],
  ['<details>\n<b>in</b>\n</details>', '<p>&lt;details&gt;<br/>&lt;b&gt;in&lt;/b&gt;<br/>&lt;/details&gt;</p>'],
  ['> <!-- a note -->', '<p>&lt;!-- a note --&gt;</p>'],
  ['| a |\n|---|\n| one<br>two<BR/>three |', '<td>one<br/>two<br/>three</td>'],
])('HTML in an answer is shown as it was written, but breaks lines: %j', (markdown, shown) => {
  expect(renderToStaticMarkup(createElement(ReactMarkdown, options, markdown))).toContain(shown);
});
