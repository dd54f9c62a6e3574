/** A position among the messages of a thread: the sequence number, which never changes. Opaque to callers. */
import type { PrismaClient } from '../../../prisma/generated/client/client.js';
import { InvalidCursorError } from '../../errors.js';
import { isId } from '../../ids.js';
import { decodeCursorText, encodeCursorText } from '../cursor-text.js';

/** A parsed cursor: a position, or a message whose position must be looked up. */
export type MessageCursor = { sequence: number } | { messageId: string };

/** The position before the first message. */
export const startOfThread = { sequence: 0 };
/** The position after every possible message: the maximum of the column. */
export const endOfThread = { sequence: 2 ** 31 - 1 };

export function encodeMessageCursor(sequence: number): string {
  return encodeCursorText(`m${sequence}`);
}

/** Parses a cursor; null if the text is neither a cursor nor the id of a message. */
export function parseMessageCursor(text: string): MessageCursor | null {
  if (isId('msg', text)) return { messageId: text };
  const sequence = /^m(0|[1-9][0-9]{0,8})$/.exec(decodeCursorText(text) ?? '')?.[1];
  return sequence === undefined ? null : { sequence: Number(sequence) };
}

/**
 * The position of a message of the thread, even if a summary replaced it. Throws an `InvalidCursorError` if the thread
 * has no such message. Concurrent lookups share one statement.
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
