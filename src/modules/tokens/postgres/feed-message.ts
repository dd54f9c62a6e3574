/**
 * The tokens of running responses on their way between processes, as PostgreSQL notifications carry them. A notification
 * holds less than 8,000 bytes; a chunk that does not fit travels without its text, and the receiver reads it from the table.
 */
import type { TokenKind } from '../log/attempt-text.js';

/** One piece of one attempt. `seq` is dense from 0, so a receiver knows when it has missed one. */
export interface FeedChunk {
  responseId: string;
  epoch: number;
  seq: number;
  /** `end` carries no text: nothing follows. */
  kind: TokenKind | 'end';
  /** Undefined if it did not fit. */
  text: string | undefined;
}

const maxPayloadBytes = 7000;
const maxTextBytes = 5000;

type Wire = [responseId: string, epoch: number, seq: number, kind: FeedChunk['kind'], text?: string];

/** The chunks as payloads, in order, as few as possible. `node` names the sender, so that it can skip its own. */
export function encodeFeed(node: string, chunks: readonly FeedChunk[]): string[] {
  const payloads: string[] = [];
  let pending: string[] = [];
  let bytes = 0;
  const send = () => {
    if (pending.length > 0) payloads.push(`[${JSON.stringify(node)},${pending.join(',')}]`);
    pending = [];
    bytes = 0;
  };
  for (const chunk of chunks) {
    const item = JSON.stringify(wireOf(chunk));
    const size = Buffer.byteLength(item) + 1;
    if (bytes + size > maxPayloadBytes) send();
    pending.push(item);
    bytes += size;
  }
  send();
  return payloads;
}

function wireOf({ responseId, epoch, seq, kind, text }: FeedChunk): Wire {
  const fits = text !== undefined && Buffer.byteLength(JSON.stringify(text)) <= maxTextBytes;
  return fits ? [responseId, epoch, seq, kind, text] : [responseId, epoch, seq, kind];
}

export function decodeFeed(payload: string): { node: string; chunks: FeedChunk[] } {
  const [node, ...items] = JSON.parse(payload) as [string, ...Wire[]];
  const chunks = items.map(([responseId, epoch, seq, kind, text]) => ({ responseId, epoch, seq, kind, text }));
  return { node, chunks };
}
