/**
 * What reads a text in this program and in the browser takes no long time for any: the generator's texts, and the worst of each
 * expression. Only in `stress` is the time measured; elsewhere a reader has failed if it takes minutes, as the worst did.
 * HOSTILE_TEXTS=5000 tries as many texts and prints the slowest.
 */

import { describe, expect, it } from 'vitest';
import { codeOfStreamFault } from '../../src/assistant/provider-errors.js';
import { InvalidInputError } from '../../src/errors.js';
import { checkText } from '../../src/modules/check-text.js';
import { WellFormedText, wellFormed } from '../../src/modules/responses/generation/well-formed-text.js';
import { partsOf } from '../../src/web/conversation/markdown/growing-parts.js';
import { blocksOf, openFenceOf } from '../../src/web/conversation/markdown/markdown-blocks.js';
import { isStress } from '../support/case-counts.js';
import { leastBusyMs } from '../support/machine-speed.js';
import { textsOf, textsOfARun } from './hostile-texts.js';

/** Of an idle machine, and four times what any takes; the worst took minutes. */
const limitMs = 100;
const { count, isAskedFor } = textsOfARun();
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
  checkText: (text) => {
    try {
      checkText([{ field: 'text', value: text, limit: 'message' }]);
    } catch (error) {
      // Blank ones are refused, which must not take long either.
      if (!(error instanceof InvalidInputError)) throw error;
    }
  },
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

describe.each(Object.entries(readers))('%s', (name, read) => {
  if (!isStress) {
    it('comes to the end of any text', () => {
      for (const { value } of allTexts()) read(value);
    });
    return;
  }

  it('is fast for any text', async () => {
    const slow: string[] = [];
    let slowest = { ms: 0, recipe: '' };
    for (const { recipe, value } of allTexts()) {
      const { ms } = await leastBusyMs(() => read(value), { belowMs: limitMs });
      if (ms >= limitMs) slow.push(recipe);
      if (ms > slowest.ms) slowest = { ms, recipe };
    }
    if (isAskedFor) console.info(`${name}: ${slowest.ms.toFixed(1)} ms, ${slowest.recipe}`);
    expect(slow).toEqual([]);
  }, 3_600_000);
});

function* allTexts(): Generator<{ recipe: string; value: string }> {
  for (const [recipe, value] of Object.entries(worst)) yield { recipe, value };
  yield* textsOf(count);
}
