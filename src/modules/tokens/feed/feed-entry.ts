/**
 * The text of running responses on its way to other processes. A store keeps the entries of each attempt, and whoever follows
 * the response is told of them. An announcement holds less than 8,000 bytes, as a notification of PostgreSQL does; an entry
 * whose text does not fit is announced without it, and the receiver reads the store.
 */
import type { TokenKind } from '../log/attempt-text.js';

/** One piece of one attempt. */
export interface FeedEntry {
  responseId: string;
  epoch: number;
  /** Rises by one from entry to entry, so that a receiver knows when it has missed one. */
  seq: number;
  /** After `end`, whose text is empty, nothing follows. */
  kind: TokenKind | 'end';
  /** Undefined if it did not fit. */
  text: string | undefined;
  /** Whether the text of the attempt begins here: with its first entry, or once more after a store lost it. */
  isFirst: boolean;
}

type Wire = [responseId: string, epoch: number, seq: number, kind: FeedEntry['kind'], text?: string];

const maxBytes = 7000;
const maxTextBytes = 5000;

/** The entries as announcements, in order, as few as possible. `node` names the sender, so that it can skip its own. */
export function encodeEntries(node: string, entries: readonly FeedEntry[]): string[] {
  const groups: string[][] = [];
  let bytes = Number.POSITIVE_INFINITY;
  for (const entry of entries) {
    const item = JSON.stringify(wireOf(entry));
    const size = Buffer.byteLength(item) + 1;
    bytes += size;
    if (bytes <= maxBytes) groups.at(-1)?.push(item);
    else {
      groups.push([item]);
      bytes = size;
    }
  }
  return groups.map((items) => `[${JSON.stringify(node)},${items.join(',')}]`);
}

function wireOf({ responseId, epoch, seq, kind, text }: FeedEntry): Wire {
  const fits = kind !== 'end' && text !== undefined && Buffer.byteLength(JSON.stringify(text)) <= maxTextBytes;
  return fits ? [responseId, epoch, seq, kind, text] : [responseId, epoch, seq, kind];
}

export function decodeEntries(announcement: string): { node: string; entries: FeedEntry[] } {
  const [node, ...items] = JSON.parse(announcement) as [string, ...Wire[]];
  const entries = items.map(([responseId, epoch, seq, kind, text]) => {
    return { responseId, epoch, seq, kind, text: kind === 'end' ? '' : text, isFirst: seq === 0 };
  });
  return { node, entries };
}
