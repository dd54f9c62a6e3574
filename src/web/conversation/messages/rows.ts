/** The rows of a conversation. A row keeps its key from the first token of an answer to the stored message. */
import type { Choice, Message, ThreadLink } from '../../api/types.js';
import {
  type ConversationState,
  isAnswered,
  type LiveAnswer,
  type PendingMessage,
  type Place,
} from '../store/conversation-state.js';

export type Row =
  | { kind: 'boundary'; key: string; isOpen: boolean }
  | { kind: 'from'; key: string; from: ThreadLink }
  | { kind: 'message'; key: string; message: Message; thought: string | undefined; isRestarted: boolean }
  | { kind: 'pending'; key: string; pending: PendingMessage }
  | { kind: 'live'; key: string; live: LiveAnswer }
  | { kind: 'stopped'; key: string; reason: string }
  | { kind: 'truncated'; key: string }
  | { kind: 'choices'; key: string; question: Choice }
  | { kind: 'ending'; key: string };

/** `question` is the one that waits for an answer now, if any: its choices stand under it. */
export function rowsOf(state: ConversationState, question: Choice | undefined): Row[] {
  const { shown, isOlderOpen, continuedFrom } = state;
  const { messages, hasOlder, hasNewer } = shown;
  // A summary replaces everything before it.
  const firstActive = messages.findIndex(({ active }) => active);
  const replaced = firstActive < 0 ? messages.length : firstActive;
  const isBeginning = !hasOlder || (replaced > 0 && !isOlderOpen);
  const rows: Row[] = [];
  if (continuedFrom && isBeginning) rows.push({ kind: 'from', key: 'from', from: continuedFrom });
  for (const [index, message] of messages.entries()) {
    if (index === replaced && replaced > 0) rows.push({ kind: 'boundary', key: 'boundary', isOpen: isOlderOpen });
    if (index < replaced && !isOlderOpen) continue;
    rows.push(messageRow(message, messages[index - 1], state));
    rows.push(...notesAfter(message, messages[index + 1], state));
  }
  return hasNewer ? rows : [...rows, ...choicesRows(question), ...endingRows(state)];
}

/** How the answer ended that ends with this message, or the one to it if it had no text yet. */
function notesAfter(message: Message, next: Message | undefined, { live }: ConversationState): Row[] {
  const { id, replyToId, response, stopReason, isTruncated } = message;
  const answered = replyToId ?? id;
  if (next?.replyToId === answered || live?.messageId === answered) return [];
  const reason = response?.__typename === 'ResponseInterrupted' ? response.message : stopReason;
  if (reason !== null) return [{ kind: 'stopped', key: `stopped:${id}`, reason }];
  return isTruncated ? [{ kind: 'truncated', key: `truncated:${id}` }] : [];
}

/**
 * The first message of an answer keeps the key of the answer that was streaming, and a version that takes the place of an edited one
 * that one's, so that the row stays in the page.
 */
function messageRow(message: Message, before: Message | undefined, state: ConversationState): Row {
  const { thoughts, restarted, branching } = state;
  const { replyToId, id } = message;
  const isOpening = replyToId !== null && before?.replyToId !== replyToId;
  const key = (branching?.messageId === id && branching.draftId) || id;
  if (!isOpening) return { kind: 'message', key, message, thought: undefined, isRestarted: false };
  const about = { thought: thoughts.get(replyToId), isRestarted: restarted.has(replyToId) };
  return { kind: 'message', key: `answer:${replyToId}`, message, ...about };
}

function choicesRows(question: Choice | undefined): Row[] {
  return question ? [{ kind: 'choices', key: `choices:${question.toolUseId}`, question }] : [];
}

/** The rows after the newest message. */
function endingRows({ shown, live, pending, thread, continuedIn }: ConversationState): Row[] {
  const unseen = pending.filter(({ messageId }) => !shown.messages.some(({ id }) => id === messageId));
  const rows: Row[] = unseen.map((sent) => ({ kind: 'pending', key: sent.key, pending: sent }));
  if (live && !isAnswered(shown, live.messageId)) {
    // A pending message comes before its own answer and after the answer that it interrupts.
    const place = unseen.findIndex(({ messageId }) => messageId === live.messageId) + 1;
    rows.splice(place, 0, { kind: 'live', key: `answer:${live.messageId}`, live });
  }
  const hasEnding = thread?.state === 'ERROR' || continuedIn;
  if (hasEnding) rows.push({ kind: 'ending', key: 'ending' });
  return rows;
}

/** The index of the row of a place; -1 for the end and for a place that is not shown. */
export function rowAt(rows: readonly Row[], { at }: Place): number {
  if (at === 'end') return -1;
  if (at === 'boundary') return rows.findIndex(({ kind }) => kind === 'boundary');
  return rows.findIndex((row) => row.kind === 'message' && row.message.id === at.messageId);
}

const lineCharacters = 80;
const linePx = 25;
const frameHeightPx = 55;

/**
 * Estimates the height of a row. The better the estimate, the less rows move when they are measured. That of an answer that begins
 * must not be too high: with less room below it for a moment, the browser would move what is read.
 */
export function estimatedHeightPx(row: Row | undefined): number {
  if (row?.kind !== 'message') return frameHeightPx;
  let lines = 0;
  for (const block of row.message.contents) {
    lines += block.__typename === 'TextBlock' ? Math.ceil(block.text.length / lineCharacters) : 2;
  }
  return frameHeightPx + lines * linePx;
}
