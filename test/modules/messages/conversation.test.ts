import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { olderPart, storeSummary } from '../../../src/modules/responses/generation/conversation.js';
import type { ConversationMessage } from '../../../src/modules/responses/generation/processor.js';
import { claim } from '../../../src/modules/responses/protocol/claim.js';
import { restart } from '../../../src/modules/responses/protocol/restart.js';
import { openedWorld, workerNamed } from '../protocol/protocol-world.js';

const choice = { type: 'user_get_choice', toolUseId: 'c', question: 'Which?', choices: ['a', 'b'] } as const;

const user = fc.nat({ max: 4000 }).map((size): ConversationMessage => {
  return { role: 'user', contents: [{ type: 'text', text: 'u'.repeat(size) }] };
});
const assistant = fc.tuple(fc.nat({ max: 4000 }), fc.boolean()).map(([size, asks]): ConversationMessage => {
  const text = { type: 'text' as const, text: '語'.repeat(size / 3) };
  return { role: 'assistant', contents: asks ? [text, { ...choice, choices: [...choice.choices] }] : [text] };
});
const summary = fc.nat({ max: 4000 }).map((size): ConversationMessage => {
  return { role: 'summary', contents: [{ type: 'text', text: 's'.repeat(size) }] };
});
const conversation = fc
  .tuple(fc.option(summary), fc.array(fc.tuple(user, assistant), { maxLength: 12 }), user)
  .map(([first, turns, last]) => [...(first ? [first] : []), ...turns.flat(), last]);

const tokensIn = (messages: ConversationMessage[]) =>
  messages.reduce((sum, { contents }) => sum + Math.ceil(Buffer.byteLength(JSON.stringify(contents)) / 4), 0);

describe('olderPart', () => {
  it('is empty, or ends before a turn so that the rest fits, as far as it can be left out', () => {
    fc.assert(
      fc.property(conversation, fc.integer({ min: 200, max: 6000 }), (messages, contextTokens) => {
        const length = olderPart(messages, contextTokens);
        if (tokensIn(messages) <= contextTokens) {
          expect(length).toBe(0);
          return;
        }
        const starts = messages.flatMap(({ role }, index) => {
          const asked = messages[index - 1]?.contents.some(({ type }) => type === 'user_get_choice');
          return index > 0 && role === 'user' && !asked ? [index] : [];
        });
        const fitting = starts.find((index) => tokensIn(messages.slice(index)) <= contextTokens / 2);
        const best = fitting ?? starts.at(-1) ?? 0;
        expect(length).toBe(best === 1 && messages[0]?.role === 'summary' ? 0 : best);
        expect(length).toBeLessThan(messages.length);
      }),
    );
  });

  it('counts scripts by their bytes: a character of Chinese is near a token, one of English a quarter', () => {
    const turn = (text: string): ConversationMessage[] => [
      { role: 'user', contents: [{ type: 'text', text }] },
      { role: 'assistant', contents: [{ type: 'text', text: 'ok' }] },
      { role: 'user', contents: [{ type: 'text', text: 'ok' }] },
    ];
    expect(olderPart(turn('word '.repeat(700)), 1000)).toBe(0);
    expect(olderPart(turn('漢字'.repeat(700)), 1000)).toBe(2);
  });

  it('looks at each of thousands of messages a few times, not once for each of the others', () => {
    let looks = 0;
    const messages = Array.from({ length: 20_000 }, (_, index): ConversationMessage => {
      const contents = [{ type: 'text' as const, text: 'x'.repeat(100) }];
      return {
        role: index % 2 ? 'assistant' : 'user',
        get contents() {
          looks += 1;
          return contents;
        },
      };
    });
    expect(olderPart(messages, 100_000)).toBeGreaterThan(10_000);
    // For its size, and where the next one may start a turn.
    expect(looks).toBeLessThanOrEqual(2 * messages.length);
  });
});

describe('storeSummary', () => {
  const world = openedWorld();

  it('is refused under an epoch that is no longer the thread’s, and stores nothing twice', async () => {
    const worker = workerNamed('ann');
    const { threadId } = await world().ask();
    const [first] = await claim(world().database, worker, 1);
    await world().end(first ?? expect.fail('nothing was claimed'));
    await world().askAgain(threadId);
    const [lost = expect.fail('nothing was claimed')] = await claim(world().database, worker, 1);
    const run = (await restart(world().database, worker, lost)) ?? expect.fail('the restart was refused');
    const part = { summary: 'They said hi.', first: 2, last: 4 };
    expect(await storeSummary(world().database, lost, part)).toBe(false);
    expect(await world().messages(threadId)).toEqual(['user: Hi', 'assistant: epoch 1', 'user: And then?']);
    expect([await storeSummary(world().database, run, part), await storeSummary(world().database, run, part)]).toEqual([
      true,
      false,
    ]);
    expect(await world().messages(threadId)).toEqual([
      'user: Hi',
      'assistant: epoch 1',
      'summary: They said hi.',
      'user: And then?',
    ]);
  });
});
