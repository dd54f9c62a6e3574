/** What reads a text in this program and in the browser takes no long time for any: the generator's texts, and the worst of each expression. */

import { describe, expect, it } from 'vitest';
import { codeOfStreamFault } from '../../src/assistant/provider-errors.js';
import { checkText } from '../../src/modules/check-text.js';
import { WellFormedText, wellFormed } from '../../src/modules/responses/well-formed-text.js';
import { partsOf } from '../../src/web/conversation/growing-parts.js';
import { blocksOf, openFenceOf } from '../../src/web/conversation/markdown-blocks.js';
import { leastBusyMs } from '../support/machine-speed.js';
import { hostileText } from './hostile-texts.js';

/** Far more than any takes; the worst took minutes. */
const limitMs = 5_000;
const size = 80_000;

const readers: Record<string, (text: string) => unknown> = {
  blocksOf,
  openFenceOf,
  partsOf,
  wellFormed,
  'WellFormedText, piece by piece': (text) => {
    const pieces = new WellFormedText();
    for (let at = 0; at < text.length; at += 7) pieces.push(text.slice(at, at + 7));
    return pieces.flush();
  },
  checkText: (text) => checkText([{ field: 'text', value: text, limit: 'message' }]),
  'the words of a provider': (text) => codeOfStreamFault({ message: text }),
};

const worst: Record<string, string> = {
  'spaces behind the line below a head': `| a |\n|-|-${' '.repeat(size)}x`,
  'labels that never end': `${'[\n'.repeat(size / 2)}a]: b\n\nc`,
  'definitions and blocks that may use them': `${'[a]: b\n\n[c]\n\n'.repeat(size / 13)}`,
  fences: '~~~~'.repeat(size / 4),
  'fences, line by line': '```\n~~~\n'.repeat(size / 8),
  'words of a request that is too long': 'input prompt request '.repeat(size / 21),
};

describe.each(Object.entries(readers))('%s', (_name, read) => {
  it('takes no long time for any text', async () => {
    const texts = [
      ...Object.entries(worst).map(([recipe, value]) => ({ recipe, value })),
      ...Array.from({ length: 75 }, (_, number) => hostileText(number, number % 5 === 0 ? size : 5_000)),
    ];
    const slow: string[] = [];
    for (const { recipe, value } of texts) {
      const { ms } = await leastBusyMs(() => read(value), { belowMs: limitMs, tries: 2 });
      if (ms >= limitMs) slow.push(recipe);
    }
    expect(slow).toEqual([]);
  });
});
