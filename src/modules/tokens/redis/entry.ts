/**
 * The tokens of running responses as Redis keeps them: one stream a response, whose entries are named `<epoch>-<number>`.
 * Redis refuses a name that is not greater than the last one, so what a replaced worker or a repeated command would still
 * add is kept out there. Each piece says where in its kind it begins, so a reader sees what it has and what it misses.
 */
import type { TokenKind } from '../log/attempt-text.js';

const prefix = 'skein:tokens:';

export const keyOf = (responseId: string) => `${prefix}${responseId}`;
/** Where a process tells its own blocked read that there is more to read. */
export const controlKeyOf = (node: string) => `skein:node:${node}`;

export interface RedisPiece {
  kind: TokenKind;
  /** UTF-16 units of this kind that the attempt had said before. */
  at: number;
  text: string;
}

export interface RedisEntry {
  epoch: number;
  /** True where the pieces are all that the attempt has said so far, false where they follow the entry before. */
  isWhole: boolean;
  pieces: readonly RedisPiece[];
  /** UTF-16 units of text of the whole attempt, where nothing follows. */
  endsAt: number | undefined;
}

type Wire = [kind: TokenKind, at: number, text: string];

/** The fields and values of an entry. */
export function encodeEntry({ isWhole, pieces, endsAt }: RedisEntry): string[] {
  const body = JSON.stringify(pieces.map(({ kind, at, text }): Wire => [kind, at, text]));
  return [isWhole ? 'all' : 'more', body, ...(endsAt === undefined ? [] : ['end', String(endsAt)])];
}

/** Throws where the entry is not one of ours. */
export function decodeEntry(id: string, [field, body = '', , endsAt]: readonly string[]): RedisEntry {
  const pieces = (JSON.parse(body) as Wire[]).map(([kind, at, text]) => ({ kind, at, text }));
  return {
    epoch: Number(id.slice(0, id.indexOf('-'))),
    isWhole: field === 'all',
    pieces,
    endsAt: endsAt === undefined ? undefined : Number(endsAt),
  };
}
