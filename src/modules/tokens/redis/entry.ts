/**
 * The tokens of running responses as Redis keeps them: one stream per response, whose entries are named `<epoch>-<number>`.
 * Redis refuses a name that is not greater than the last one, which fences replaced workers and repeated commands. Each
 * piece has its offset within its kind, so a reader knows what it has and what is missing.
 */
import type { TokenKind } from '../log/attempt-text.js';

const prefix = 'skein:tokens:';

export const keyOf = (responseId: string) => `${prefix}${responseId}`;
/** The key by which a process ends its own blocked read because there is more to read. */
export const controlKeyOf = (node: string) => `skein:node:${node}`;

export interface RedisPiece {
  kind: TokenKind;
  /** UTF-16 units of this kind in the attempt before this piece. */
  at: number;
  text: string;
}

export interface RedisEntry {
  epoch: number;
  /** Whether the pieces are the whole text so far; otherwise they follow the previous entry. */
  isWhole: boolean;
  pieces: readonly RedisPiece[];
  /** UTF-16 units of text of the whole attempt, if this is its last entry. */
  endsAt: number | undefined;
}

type Wire = [kind: TokenKind, at: number, text: string];

/** The fields and values of an entry. */
export function encodeEntry({ isWhole, pieces, endsAt }: RedisEntry): string[] {
  const body = JSON.stringify(pieces.map(({ kind, at, text }): Wire => [kind, at, text]));
  return [isWhole ? 'all' : 'more', body, ...(endsAt === undefined ? [] : ['end', String(endsAt)])];
}

/** Throws if the entry is not one of ours. */
export function decodeEntry(id: string, [field, body = '', , endsAt]: readonly string[]): RedisEntry {
  const pieces = (JSON.parse(body) as Wire[]).map(([kind, at, text]) => ({ kind, at, text }));
  return {
    epoch: Number(id.slice(0, id.indexOf('-'))),
    isWhole: field === 'all',
    pieces,
    endsAt: endsAt === undefined ? undefined : Number(endsAt),
  };
}
