import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ContentBlock } from '../../../src/modules/messages/content.js';
import {
  continuationSummary,
  readLimits,
  type TranscriptEntry,
} from '../../../src/modules/messages/sending/continuation-summary.js';
import { propertyRuns } from '../../support/case-counts.js';

/** The messages of a thread, of which only the newest are read, as from the database. */
function summaryOf(messages: readonly Omit<TranscriptEntry, 'sequence'>[], name: string | null = null): string {
  const all = messages.map((message, index) => ({ ...message, sequence: (index + 1) * 2 }));
  return continuationSummary({ id: 'thr_1', name, opening: all[0] ?? null, latest: all.slice(-readLimits.count) });
}

const says = (role: TranscriptEntry['role'], text: string): Omit<TranscriptEntry, 'sequence'> => ({
  role,
  contents: [{ type: 'text', text }],
});
const header = 'This thread continues the thread thr_1. An extract of what was said there:';

describe('continuationSummary › what fits', () => {
  it('is included whole, in order', () => {
    const messages = [says('summary', 'They met.'), says('user', 'Hi'), says('assistant', 'Hello')];
    const lines = ['Summary of what came before: They met.', 'User: Hi', 'Assistant: Hello'];
    expect(summaryOf(messages)).toBe([header, ...lines].join('\n\n'));
  });

  it('has the name of the thread, if any', () => {
    expect(summaryOf([], 'Rome')).toBe(
      'This thread continues the thread "Rome" (thr_1). An extract of what was said there:',
    );
    expect(summaryOf([], ' ')).toBe(header);
  });

  it('has a line for every block that is not text', () => {
    const contents: ContentBlock[] = [
      { type: 'image', attachmentId: 'att_1' },
      { type: 'document', attachmentId: 'att_2' },
      { type: 'text', text: 'Well?' },
      { type: 'user_get_choice', toolUseId: '1', question: 'Tea or coffee?', choices: ['Tea', 'Coffee'] },
    ];
    const said = '[Attached image]\n\n[Attached document]\n\nWell?\n\nTea or coffee?\n- Tea\n- Coffee';
    expect(summaryOf([{ role: 'assistant', contents }])).toBe(`${header}\n\nAssistant: ${said}`);
  });

  it('leaves out empty messages', () => {
    expect(summaryOf([says('user', 'Hi'), says('assistant', ' \n')])).toBe(`${header}\n\nUser: Hi`);
  });
});

describe('continuationSummary › what does not fit', () => {
  it('keeps the opening and the newest messages, and marks the place of the others', () => {
    const messages = Array.from({ length: 20 }, (_, index) => says('user', `${index} ${'x'.repeat(2000)}`));
    const paragraphs = summaryOf(messages).split('\n\n');
    const numbers = paragraphs.slice(1).map((paragraph) => paragraph.replace(/ x+$/, ''));
    const newest = [12, 13, 14, 15, 16, 17, 18, 19].map((index) => `User: ${index}`);
    expect(numbers).toEqual(['User: 0', '[…]', ...newest]);
  });

  it('marks the place of messages that were not read', () => {
    const messages = Array.from({ length: readLimits.count + 2 }, (_, index) => says('user', String(index)));
    const paragraphs = summaryOf(messages).split('\n\n');
    expect(paragraphs.slice(1, 4)).toEqual(['User: 0', '[…]', 'User: 2']);
    const readWhole = summaryOf(messages.slice(0, readLimits.count));
    expect(readWhole).not.toContain('[…]');
  });

  it('shortens a long message in its middle', () => {
    const [, , newest = ''] = summaryOf([says('user', 'Hi'), says('user', `begin ${'x'.repeat(9000)} end`)]).split(
      '\n\n',
    );
    expect(newest).toMatch(/^User: begin x+ \[…\] x+ end$/);
    expect(newest.length).toBeLessThan(4100);
  });
});

const message = fc.record({
  role: fc.constantFrom<TranscriptEntry['role'][]>('user', 'assistant', 'summary'),
  contents: fc
    .tuple(fc.string({ unit: 'grapheme' }), fc.constantFrom('', '🙂', 'x🙂'), fc.integer({ min: 0, max: 9000 }))
    .map(([text, unit, times]): ContentBlock[] => [{ type: 'text', text: text + unit.repeat(times) }]),
});

it('continuationSummary › of any conversation can be stored, and is bounded', () => {
  fc.assert(
    fc.property(fc.array(message, { maxLength: 80 }), (messages) => {
      const summary = summaryOf(messages);
      expect(summary.isWellFormed()).toBe(true);
      expect(summary.length).toBeLessThan(25_000);
    }),
    { numRuns: propertyRuns(60) },
  );
});
