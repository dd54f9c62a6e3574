/**
 * Builds the summary of a thread for its continuation. It is an extract of the stored messages, without a model: the
 * way out of `error` must not depend on what has just failed, and an extract invents nothing. Its size is limited, so
 * it fits into any model's context.
 */
import type { ContentBlock } from '../content.js';

/** A message of the thread that is continued. */
export interface TranscriptEntry {
  sequence: number;
  role: 'user' | 'assistant' | 'summary';
  contents: readonly ContentBlock[];
}

export interface Conversation {
  id: string;
  name: string | null;
  /** The oldest active message: the beginning of the conversation or its summary. */
  opening: TranscriptEntry | null;
  /** The newest active messages, oldest first. */
  latest: readonly TranscriptEntry[];
}

/** Maximum UTF-16 units of the opening, each other message, and all others together. */
const limits = { opening: 6000, message: 4000, others: 18_000 } as const;

/** How many of the newest messages to read. */
export const readLimits = { count: 50, bytes: 2 * 1024 * 1024 } as const;

const speakers = { user: 'User', assistant: 'Assistant', summary: 'Summary of what came before' } as const;
const gap = '[…]';

/** The text of the summary: the opening, then as many of the newest messages as fit, with a mark for omitted parts. */
export function continuationSummary({ id, name, opening, latest }: Conversation): string {
  const others = latest.filter(({ sequence }) => sequence !== opening?.sequence);
  const kept = newestThatFit(others.map((said) => paragraphOf(said, limits.message)));
  const reachesOpening = latest[0]?.sequence === opening?.sequence;
  const thread = name?.trim() ? `"${name}" (${id})` : id;
  const paragraphs = [
    `This thread continues the thread ${thread}. An extract of what was said there:`,
    opening ? paragraphOf(opening, limits.opening) : '',
    reachesOpening && kept.length === others.length ? '' : gap,
    ...kept,
  ];
  return paragraphs.filter((paragraph) => paragraph !== '').join('\n\n');
}

function newestThatFit(paragraphs: readonly string[]): string[] {
  let size = 0;
  const fitting = paragraphs.toReversed().findIndex((paragraph) => {
    size += paragraph.length;
    return size > limits.others;
  });
  return fitting === -1 ? [...paragraphs] : paragraphs.slice(paragraphs.length - fitting);
}

function paragraphOf({ role, contents }: TranscriptEntry, limit: number): string {
  const text = contents.map(textOfBlock).join('\n\n').trim();
  return text === '' ? '' : `${speakers[role]}: ${shorten(text, limit)}`;
}

function textOfBlock(block: ContentBlock): string {
  switch (block.type) {
    case 'text':
      return block.text;
    case 'image':
    case 'document':
      return `[Attached ${block.type}]`;
    case 'user_get_choice':
      return [block.question, ...block.choices.map((choice) => `- ${choice}`)].join('\n');
  }
}

/** Removes the middle of a long text. Never splits a surrogate pair, because PostgreSQL rejects half of one. */
function shorten(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const start = text.slice(0, limit / 2).replace(/[\ud800-\udbff]$/, '');
  const end = text.slice(-limit / 2).replace(/^[\udc00-\udfff]/, '');
  return `${start} ${gap} ${end}`;
}
