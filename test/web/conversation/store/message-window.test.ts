/** The stretch of a conversation that the application holds: bounded, without gaps, and true when a summary is made. */
import { describe, expect, it } from 'vitest';
import type { MessagePage } from '../../../../src/web/api/message-documents.js';
import type { Message } from '../../../../src/web/api/types.js';
import {
  endOf,
  longestWindow,
  type MessageWindow,
  windowAround,
  windowOf,
  withPage,
  withSummary,
} from '../../../../src/web/conversation/store/message-window.js';

describe('a window of messages', () => {
  it('grows at both ends, with nothing twice', () => {
    const middle = windowAround(message(5), { older: page(2, 4, { older: true }), newer: page(6, 8, { newer: true }) });
    expect(numbersOf(withPage(withPage(middle, 'older', page(0, 2)), 'newer', page(8, 10)))).toEqual([
      0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10,
    ]);
    expect(middle).toMatchObject({ hasOlder: true, hasNewer: true });
    expect(withPage(middle, 'older', page(0, 1))).toMatchObject({ hasOlder: false, hasNewer: true });
  });

  it('drops the other end beyond its bound, and knows that it exists', () => {
    const full = windowOf(page(1000, 1000 + longestWindow - 1));
    const up = withPage(full, 'older', page(950, 999, { older: true }));
    expect(up.messages).toHaveLength(longestWindow);
    expect([up.messages[0]?.id, up.hasOlder, up.hasNewer]).toEqual(['m950', true, true]);
    const down = withPage(full, 'newer', page(3000, 3049));
    expect([down.messages.at(-1)?.id, down.hasOlder, down.hasNewer]).toEqual(['m3049', true, false]);
    expect(down.messages).toHaveLength(longestWindow);
  });

  it('keeps its newest part, and what comes before it', () => {
    expect(endOf(windowOf(page(0, 9)), 3)).toMatchObject({ hasOlder: true, hasNewer: false });
    expect(numbersOf(endOf(windowOf(page(0, 9)), 3))).toEqual([7, 8, 9]);
  });
});

describe('a summary that is made meanwhile', () => {
  const summary = { ...message(4), id: 'summary', role: 'SUMMARY' as const };
  const made = { summary, last: message(4) };
  const activeOf = ({ messages }: MessageWindow) =>
    messages.map(({ id, active }) => (active ? id : `(${id})`)).join(' ');

  it('follows the last message that it replaced', () => {
    const window = withSummary(windowOf(page(3, 6)), made);
    expect(activeOf(window)).toBe('(m3) (m4) summary m5 m6');
    expect(withSummary(window, made)).toBe(window);
  });

  it('is not duplicated if it came with newer messages', () => {
    const { messages, ...rest } = windowOf(page(3, 5));
    const held = { ...rest, messages: [...messages.slice(0, 2), { ...summary, cursor: 'c' }, ...messages.slice(2)] };
    expect(activeOf(withSummary(held, made))).toBe('(m3) (m4) summary m5');
  });

  it('leaves newer messages unchanged, and updates all older ones', () => {
    const newer = windowOf(page(5, 6));
    expect(withSummary(newer, made)).toBe(newer);
    expect(activeOf(withSummary(windowOf(page(1, 2)), made))).toBe('(m1) (m2)');
  });
});

function message(number: number): Message {
  return {
    id: `m${number}`,
    role: 'USER',
    author: null,
    active: true,
    createdAt: new Date(Date.UTC(2026, 0, 1) + number * 1000).toISOString(),
    replyToId: null,
    stopReason: null,
    isTruncated: false,
    hasReasoning: false,
    variants: null,
    contents: [],
    attachments: [],
    myFeedback: null,
    response: null,
  };
}

function page(from: number, to: number, { older = false, newer = false } = {}): MessagePage {
  const numbers = Array.from({ length: to - from + 1 }, (_, index) => from + index);
  return {
    edges: numbers.map((number) => ({ cursor: `c${number}`, node: message(number) })),
    pageInfo: { hasPreviousPage: older, hasNextPage: newer },
  };
}

function numbersOf({ messages }: MessageWindow): number[] {
  return messages.map(({ id }) => Number(id.slice(1)));
}
