/** The conversation as rows, one after the other, each with a key that it keeps from its first token to its last day. */
import type { Message, ThreadLink } from '../api/types.js';
import type { ConversationState, PendingMessage } from './conversation-store.js';
import type { LiveAnswer } from './live-answer.js';

export type Row =
  | { kind: 'older'; key: string; count: number; isOpen: boolean }
  | { kind: 'from'; key: string; from: ThreadLink }
  | { kind: 'message'; key: string; message: Message; thought: string | undefined }
  | { kind: 'pending'; key: string; pending: PendingMessage }
  | { kind: 'live'; key: string; live: LiveAnswer }
  | { kind: 'ending'; key: string };

export function rowsOf(state: ConversationState, isOlderOpen: boolean): Row[] {
  const { messages, live, pending, thread, continuedFrom, continuedIn, thoughts } = state;
  const older = messages.filter(({ active }) => !active).length;
  const rows: Row[] = [];
  if (continuedFrom) rows.push({ kind: 'from', key: 'from', from: continuedFrom });
  if (older > 0) rows.push({ kind: 'older', key: 'older', count: older, isOpen: isOlderOpen });
  const shown = isOlderOpen ? messages : messages.filter(({ active }) => active);
  const answered = new Set<string>();
  for (const message of shown) {
    const isOpening = message.replyToId !== null && !answered.has(message.replyToId);
    if (message.replyToId) answered.add(message.replyToId);
    // The first message of an answer takes the place of the answer that was on its way, without a change in the page.
    const key = isOpening ? `answer:${message.replyToId}` : message.id;
    const thought = isOpening ? thoughts.get(message.replyToId ?? '') : undefined;
    rows.push({ kind: 'message', key, message, thought });
  }
  if (pending) rows.push({ kind: 'pending', key: 'pending', pending });
  if (live && !answered.has(live.messageId)) rows.push({ kind: 'live', key: `answer:${live.messageId}`, live });
  const hasEnding = thread?.state === 'ERROR' || thread?.state === 'INTERRUPTED' || continuedIn;
  if (hasEnding) rows.push({ kind: 'ending', key: 'ending' });
  return rows;
}

/** What a message says in words. */
export function textOf({ contents }: Message): string {
  return contents.map((block) => (block.__typename === 'TextBlock' ? block.text : '')).join('');
}
