/** What the list shows of a message that a search found, as text. */
import { expect, it } from 'vitest';
import { withoutMarkdown } from '../../../src/web/threads/panel/without-markdown.js';

it.each([
  ['**bold**, `code`, ~~gone~~ and > a quote', 'bold, code, gone and  a quote'],
  ['| Step | Rows | |:--|--:| | Read | 1,204 |', ' Step  Rows     Read  1,204 '],
  ['before --- after, an en-dash -- and a-b', 'before  after, an en-dash -- and a-b'],
  ['see [the plan](https://example.com/a?b=c) and ![a map](/map.png)', 'see the plan and a map'],
  ['with $E = mc^2$ and $$a + b$$', 'with E = mc^2 and a + b'],
  ['H<sub>2</sub>O and <KBD>Ctrl</KBD>', 'H2O and Ctrl'],
  ['from $5 to $10, or $3-$4', 'from $5 to $10, or $3-$4'],
  ['['.repeat(300_000), '['.repeat(300_000)],
])('%.100s', (piece, text) => {
  expect(withoutMarkdown(piece)).toBe(text);
});
