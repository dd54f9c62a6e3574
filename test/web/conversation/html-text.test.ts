/** HTML that a model writes is text like any other: none of it is lost. `test/web/pages/hostile.test.ts` tells that none of it runs. */
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import ReactMarkdown from 'react-markdown';
import { expect, it } from 'vitest';
import { html, remarkGfm, remarkInlineTags } from '../../../src/web/conversation/markdown/gfm.js';

const options = { remarkPlugins: [remarkGfm, remarkInlineTags], remarkRehypeOptions: { handlers: { html } } };

it.each([
  ['a List<String> of <i>x</i>', '<p>a List&lt;String&gt; of &lt;i&gt;x&lt;/i&gt;</p>'],
  ['<details>\n<b>in</b>\n</details>', '<p>&lt;details&gt;<br/>&lt;b&gt;in&lt;/b&gt;<br/>&lt;/details&gt;</p>'],
  ['> <!-- a note -->', '<p>&lt;!-- a note --&gt;</p>'],
  ['| a |\n|---|\n| one<br>two<BR/>three |', '<td>one<br/>two<br/>three</td>'],
])('HTML in an answer is shown as it was written, but breaks lines: %j', (markdown, shown) => {
  expect(renderToStaticMarkup(createElement(ReactMarkdown, options, markdown))).toContain(shown);
});

it.each([
  ['H<sub>2</sub>O', '<p>H<sub>2</sub>O</p>'],
  ['**x<SUP>*n*<sub>1</sub></SUP>**', '<strong>x<sup><em>n</em><sub>1</sub></sup></strong>'],
  ['<kbd>Ctrl</kbd>+<kbd>C</kbd>', '<p><kbd>Ctrl</kbd>+<kbd>C</kbd></p>'],
  ['| a |\n|---|\n| CO<sub>2</sub> |', '<td>CO<sub>2</sub></td>'],
  ['<sub onclick="x">a</sub>', '<p>&lt;sub onclick=&quot;x&quot;&gt;a&lt;/sub&gt;</p>'],
  ['<sub><b>a</b></sub> <sup>b', '<p><sub>&lt;b&gt;a&lt;/b&gt;</sub> &lt;sup&gt;b</p>'],
  ['<sub>a<kbd>b</sub>', '<p>&lt;sub&gt;a&lt;kbd&gt;b&lt;/sub&gt;</p>'],
  ['<sub>\n\ntext\n\n</sub>', '<p>text</p>'],
  ['`<sub>`2`</sub>`', '<p><code>&lt;sub&gt;</code>2<code>&lt;/sub&gt;</code></p>'],
])(
  'the tags of subscripts, superscripts and keys are elements, in pairs and without attributes: %j',
  (markdown, shown) => {
    expect(renderToStaticMarkup(createElement(ReactMarkdown, options, markdown))).toContain(shown);
  },
);

it('tags that are nested more than four levels deep stay text, and do not overflow the stack', () => {
  const deep = `${'<sub>'.repeat(500)}x${'</sub>'.repeat(500)}`;
  const shown = renderToStaticMarkup(createElement(ReactMarkdown, options, deep));
  expect(shown.match(/<sub>/g)).toHaveLength(4);
});
