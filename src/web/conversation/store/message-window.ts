/**
 * A contiguous part of the messages of a conversation. It grows at both ends, page by page. When it exceeds its limit, it
 * drops messages from the opposite end, so that a browser can show a conversation of any length.
 */
import type { MessagePage } from '../../api/message-documents.js';
import type { Message } from '../../api/types.js';

/** A message with its position in the conversation. */
export type PlacedMessage = Message & { cursor: string };

export interface MessageWindow {
  messages: readonly PlacedMessage[];
  hasOlder: boolean;
  hasNewer: boolean;
}

export const longestWindow = 1000;

export const emptyWindow: MessageWindow = { messages: [], hasOlder: false, hasNewer: false };

export function windowOf({ edges, pageInfo }: MessagePage): MessageWindow {
  return {
    messages: edges.map(({ cursor, node }) => ({ ...node, cursor })),
    hasOlder: pageInfo.hasPreviousPage,
    hasNewer: pageInfo.hasNextPage,
  };
}

/** A message with the page before it and the page after it. The ID of a message serves as its cursor. */
export function windowAround(message: Message, { older, newer }: { older: MessagePage; newer: MessagePage }) {
  const middle = { messages: [{ ...message, cursor: message.id }], hasOlder: true, hasNewer: true };
  return withNewer(withOlder(middle, older), newer);
}

export function withOlder({ messages, hasNewer }: MessageWindow, page: MessagePage): MessageWindow {
  const older = windowOf(page);
  const all = [...unknown(older.messages, messages), ...messages];
  return {
    messages: all.slice(0, longestWindow),
    hasOlder: older.hasOlder,
    hasNewer: hasNewer || all.length > longestWindow,
  };
}

export function withNewer({ messages, hasOlder }: MessageWindow, page: MessagePage): MessageWindow {
  const newer = windowOf(page);
  const all = [...messages, ...unknown(newer.messages, messages)];
  return {
    messages: all.slice(-longestWindow),
    hasOlder: hasOlder || all.length > longestWindow,
    hasNewer: newer.hasNewer,
  };
}

function unknown(messages: readonly PlacedMessage[], known: readonly PlacedMessage[]): readonly PlacedMessage[] {
  const ids = new Set(known.map(({ id }) => id));
  return messages.filter(({ id }) => !ids.has(id));
}

/** The newest messages of a window. */
export function endOf({ messages, hasOlder, hasNewer }: MessageWindow, count: number): MessageWindow {
  return { messages: messages.slice(-count), hasOlder: hasOlder || messages.length > count, hasNewer };
}

/** The window up to a message, without it and what follows. The same window if the message is not in it. */
export function windowBefore(window: MessageWindow, id: string): MessageWindow {
  const end = window.messages.findIndex((message) => message.id === id);
  return end < 0 ? window : { ...window, messages: window.messages.slice(0, end), hasNewer: false };
}

/** The end of another branch, with the earlier messages of the window if both have them: what leads to a message is the same. */
export function withBranch({ messages, hasOlder }: MessageWindow, end: MessageWindow): MessageWindow {
  const first = messages.findIndex(({ id }) => id === end.messages[0]?.id);
  if (first <= 0) return end;
  const all = [...messages.slice(0, first), ...end.messages];
  return { ...end, messages: all.slice(-longestWindow), hasOlder: hasOlder || all.length > longestWindow };
}

/** The number of characters of the text of all messages. */
export function charactersOf({ messages }: MessageWindow): number {
  let sum = 0;
  for (const { contents } of messages) {
    for (const block of contents) if (block.__typename === 'TextBlock') sum += block.text.length;
  }
  return sum;
}

export function withChanged(window: MessageWindow, id: string | undefined, change: Partial<Message>): MessageWindow {
  if (!holds(window, id)) return window;
  const messages = window.messages.map((message) => (message.id === id ? { ...message, ...change } : message));
  return { ...window, messages };
}

export function holds({ messages }: MessageWindow, id: string | undefined): boolean {
  return messages.some((message) => message.id === id);
}

/** Puts a summary in place of all messages up to `last`, whether `last` is inside the window, before it or after it. */
export function withSummary(
  window: MessageWindow,
  { summary, last }: { summary: Message; last: { id: string; createdAt: string } },
): MessageWindow {
  const { messages } = window;
  const end = messages.findIndex(({ id }) => id === last.id) + 1;
  const isNewer = end === 0 && (messages[0]?.createdAt ?? '') >= last.createdAt;
  const older = end === 0 ? messages : messages.slice(0, end);
  if (isNewer || !older.some(({ active }) => active)) return window;
  const replaced = older.map((message) => ({ ...message, active: false }));
  const placed = end === 0 || holds(window, summary.id) ? [] : [{ ...summary, cursor: summary.id }];
  return { ...window, messages: [...replaced, ...placed, ...messages.slice(older.length)] };
}
