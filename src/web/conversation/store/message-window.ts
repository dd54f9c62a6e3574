/**
 * A contiguous part of the messages of a conversation. It grows at both ends, page by page. When it exceeds its limit, it
 * drops messages from the opposite end, so that a browser can show a conversation of any length.
 */
import type { MessagePage } from '../../api/message-documents.js';
import type { Message } from '../../api/types.js';

/** A message with its position in the conversation. */
export type PlacedMessage = Message & { cursor: string };

export type Side = 'older' | 'newer';

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
  return withPage(withPage(middle, 'older', older), 'newer', newer);
}

/** The window with a page that joins it on one side. */
export function withPage(
  { messages, hasOlder, hasNewer }: MessageWindow,
  side: Side,
  page: MessagePage,
): MessageWindow {
  const known = new Set(messages.map(({ id }) => id));
  const found = windowOf(page);
  const others = found.messages.filter(({ id }) => !known.has(id));
  const isLong = messages.length + others.length > longestWindow;
  return side === 'older'
    ? { ...found, messages: [...others, ...messages].slice(0, longestWindow), hasNewer: hasNewer || isLong }
    : { ...found, messages: [...messages, ...others].slice(-longestWindow), hasOlder: hasOlder || isLong };
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

/** The text of a message. */
export function textOf({ contents }: Message): string {
  return contents.map((block) => (block.__typename === 'TextBlock' ? block.text : '')).join('');
}

/** The number of characters of the text of all messages. */
export function charactersOf({ messages }: MessageWindow): number {
  return messages.reduce((sum, message) => sum + textOf(message).length, 0);
}

export function withChanged(window: MessageWindow, id: string | undefined, change: Partial<Message>): MessageWindow {
  if (!holds(window, id)) return window;
  const messages = window.messages.map((message) => (message.id === id ? { ...message, ...change } : message));
  return { ...window, messages };
}

export function edgeOf({ messages }: MessageWindow, side: Side): PlacedMessage | undefined {
  return side === 'older' ? messages[0] : messages.at(-1);
}

/** Whether a window has the last message of another one, and later ones. */
export function goesBeyond({ messages }: MessageWindow, other: MessageWindow): boolean {
  const last = other.messages.at(-1)?.id;
  return messages.at(-1)?.id !== last && messages.some(({ id }) => id === last);
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
