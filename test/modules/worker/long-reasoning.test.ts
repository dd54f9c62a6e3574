/** What a model thinks may be far longer than what is stored of it, and comes in very many pieces. */
import { expect, it } from 'vitest';
import { maximumReasoning } from '../../../src/contract.js';
import { Answer } from '../../../src/modules/responses/generation/answer.js';
import { PublishingFence } from '../../../src/modules/responses/generation/publishing-fence.js';
import type { TokenEntry } from '../../../src/modules/tokens/log/attempt-text.js';
import { openedWorld } from '../protocol/protocol-world.js';

const world = openedWorld();

it('keeps the beginning of 300,000 pieces, and never half of a character', async () => {
  const run = await world().running();
  const tokens = { open: () => true, append: () => true, settling: () => undefined, end: () => undefined };
  const fence = new PublishingFence<TokenEntry>({ clock: { now: () => 0 }, safeLeaseMs: 1 });
  const answer = new Answer(tokens, { run, fence });
  const piece = 'x😀';
  // Taking all that was said before into account with each piece would take minutes.
  for (let n = 0; n < 300_000; n += 1) answer.take({ type: 'thinking', text: piece });
  const expected = piece.repeat(maximumReasoning).slice(0, maximumReasoning - 1);
  expect(answer.reasoning?.slice(0, -1)).toBe(expected);
  expect(answer.reasoning).toHaveLength(maximumReasoning);
  expect(answer.reasoning?.isWellFormed()).toBe(true);
});
