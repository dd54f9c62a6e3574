/**
 * Markdown that is cut into blocks, and into parts while it grows, says what it says as a whole. HTML that a model writes is text
 * like any other: none of it is lost. `test/web/pages/hostile.test.ts` tells that none of it runs.
 */
import fc from 'fast-check';
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import ReactMarkdown, { type Options } from 'react-markdown';
import { describe, expect, it } from 'vitest';
import { html, remarkGfm, remarkInlineTags } from '../../../src/web/conversation/markdown/gfm.js';
import { partsOf } from '../../../src/web/conversation/markdown/growing-parts.js';
import { blocksOf, openFenceOf } from '../../../src/web/conversation/markdown/markdown-blocks.js';
import { propertyRuns } from '../../support/case-counts.js';

const shownBy = (options: Options, text: string) => renderToStaticMarkup(createElement(ReactMarkdown, options, text));
const render = (text: string) => shownBy({ remarkPlugins: [remarkGfm] }, text).replaceAll('\n', '');
const renderTags = (text: string) =>
  shownBy({ remarkPlugins: [remarkGfm, remarkInlineTags], remarkRehypeOptions: { handlers: { html } } }, text);

const pieces = fc.constantFrom(
  'Some words, and `code`.',
  'Two lines\nof one paragraph',
  '# A heading',
  '- one\n- two',
  '- one\n\n- two, loose',
  '- one\n  - inside\n\n  a paragraph of the item',
  '1. first\n2. second',
  '3) third',
  '* star',
  '```ts\nconst a = 1;\n\n- no list\n# no heading\n```',
  'Here it is:\n```\nwithout a blank line\n```\nand after it',
  '~~~~\n```\n~~~\n~~~~',
  '- item\n\n  ```sh\n  ls\n\n  pwd\n  ```',
  '| a | b |\n|---|---|\n| 1 | 2 |',
  '> a quotation\n> of two lines',
  '    indented code\n\n    goes on\n\nWords after it.',
  '---',
  '1',
  '[a link][there]',
  '[there]: https://example.com/there',
);
/** What an earlier block may depend on, or what does not end with a blank line. */
const tied = fc.constantFrom(
  '[a link][later]',
  '> [later]: https://example.com/later',
  'A claim[^1]',
  '[^1]: a note',
  '<!-- one\n\n*two* -->',
  '<pre>\n\n*three*\n\n</pre>',
);
const texts = fc
  .array(fc.tuple(pieces, fc.constantFrom('\n\n', '\n\n', '\n\n\n')), { minLength: 1, maxLength: 8 })
  .map((parts) => parts.flat().join(''));

describe('blocksOf', () => {
  it('renders, block by block, the same as the whole text', () => {
    fc.assert(
      fc.property(texts, (text) => {
        const ended = `${text}\n\nThe end`;
        expect(blocksOf(ended).map(render).join('')).toBe(render(ended));
      }),
      { numRuns: propertyRuns(60) },
    );
  });

  it('renders a text that is complete the same as the whole, whatever its blocks refer to', () => {
    const complete = fc.array(fc.oneof({ weight: 4, arbitrary: pieces }, tied), { minLength: 1, maxLength: 8 });
    fc.assert(
      fc.property(complete, (parts) => {
        const text = parts.join('\n\n');
        expect(blocksOf(text, false).map(render).join('')).toBe(render(text));
      }),
      { numRuns: propertyRuns(60) },
    );
  });

  it('never changes a block that another one follows, while the text grows', () => {
    fc.assert(
      fc.property(
        texts.filter((text) => !text.includes('[')),
        (text) => {
          let known: string[] = [];
          for (let length = 1; length <= text.length; length += 1) {
            const blocks = blocksOf(text.slice(0, length));
            expect(blocks.slice(0, known.length)).toEqual(known);
            known = blocks.slice(0, -1);
          }
        },
      ),
      { numRuns: propertyRuns(40) },
    );
  });

  it('begins a block with each fence, and ends it there', () => {
    expect(blocksOf('Look:\n```ts\na\n\nb\n```\n- so')).toEqual(['Look:', '```ts\na\n\nb\n```', '- so']);
  });
});

it('openFenceOf returns the language and the code so far, without what may become the closing fence', () => {
  expect(openFenceOf('```ts title=x\nconst a = 1;\n``')).toEqual({ language: 'ts', code: 'const a = 1;' });
  expect(openFenceOf('```')).toEqual({ language: '', code: '' });
  expect(openFenceOf('```ts\nconst a = 1;\n```')).toBeNull();
  expect(openFenceOf('Some words')).toBeNull();
});

describe('partsOf', () => {
  const items = Array.from({ length: 100 }, (_, index) => `${index + 3}. The item *number* ${index}, in some words.`);
  const rows = Array.from({ length: 100 }, (_, index) => `| ${index} | some \`words\` of the row |`);

  it('cuts a long list between its items, and keeps its first number', () => {
    const long = partsOf(items.join('\n'));
    expect(long).toMatchObject({ kind: 'ol', start: 3 });
    expect(long?.parts.join('\n')).toBe(items.join('\n'));
    expect(long?.parts.map((part) => part.length <= 1100)).not.toContain(false);
  });

  it('cuts a long table between its rows, and gives each part the head', () => {
    const head = '| a | b |\n|---|---|\n';
    const long = partsOf(head + rows.join('\n'));
    expect(long?.kind).toBe('table');
    expect(long?.parts.every((part) => part.startsWith(head))).toBe(true);
    expect(long?.parts.map((part) => part.slice(head.length)).join('\n')).toBe(rows.join('\n'));
  });

  it('leaves short blocks and blocks of other kinds whole', () => {
    expect(partsOf(items.slice(0, 5).join('\n'))).toBeNull();
    expect(partsOf('Words. '.repeat(1000))).toBeNull();
    expect(partsOf(`${items.join('\n')}\n# A heading`)).toBeNull();
  });
});

it.each([
  ['a List<String> of <i>x</i>', '<p>a List&lt;String&gt; of &lt;i&gt;x&lt;/i&gt;</p>'],
  ['<details>\n<b>in</b>\n</details>', '<p>&lt;details&gt;<br/>&lt;b&gt;in&lt;/b&gt;<br/>&lt;/details&gt;</p>'],
  ['> <!-- a note -->', '<p>&lt;!-- a note --&gt;</p>'],
  ['| a |\n|---|\n| one<br>two<BR/>three |', '<td>one<br/>two<br/>three</td>'],
])('HTML in an answer is shown as it was written, but breaks lines: %j', (markdown, shown) => {
  expect(renderTags(markdown)).toContain(shown);
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
    expect(renderTags(markdown)).toContain(shown);
  },
);

it('tags that are nested more than four levels deep stay text, and do not overflow the stack', () => {
  const deep = `${'<sub>'.repeat(500)}x${'</sub>'.repeat(500)}`;
  expect(renderTags(deep).match(/<sub>/g)).toHaveLength(4);
});
