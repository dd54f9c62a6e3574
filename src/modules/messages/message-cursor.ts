/** A position among the messages of a thread: the sequence number, which never changes. Opaque to callers. */
import type { PrismaClient } from '../../../prisma/generated/client/client.js';
import { InvalidCursorError } from '../../errors.js';
import { isId } from '../../ids.js';
import { decodeCursorText, encodeCursorText } from '../cursor-text.js';

/** What a caller's cursor names: the position itself, or a message whose position is to be looked up. */
export type MessageCursor = { sequence: number } | { messageId: string };

/** The position before the first message. */
export const startOfThread = { sequence: 0 };
/** The position behind every message that there can be: the column holds no greater number. */
export const endOfThread = { sequence: 2 ** 31 - 1 };

export function encodeMessageCursor(sequence: number): string {
  return encodeCursorText(`m${sequence}`);
}

/** Null for a text that is neither a cursor nor the id of a message. */
export function parseMessageCursor(text: string): MessageCursor | null {
  if (isId('msg', text)) return { messageId: text };
  const sequence = /^m(0|[1-9][0-9]{0,8})$/.exec(decodeCursorText(text) ?? '')?.[1];
  return sequence === undefined ? null : { sequence: Number(sequence) };
}

/**
 * The position of a message of the thread, also of one that a summary replaced. Throws an `InvalidCursorError` where the
 * thread has no such message. Those who ask at the same time, for several threads, share one statement.
 */
export async function findPosition(
  database: PrismaClient,
  { threadId, messageId }: { threadId: string; messageId: string },
): Promise<number> {
  const message = await database.message.findUnique({
    where: { id: messageId },
    select: { threadId: true, sequence: true },
  });
  if (message?.threadId !== threadId) throw new InvalidCursorError();
  return message.sequence;
}
