/** A position among the messages of a thread: the sequence number, which never changes. Opaque to callers. */
import type { PrismaClient } from '../../../prisma/generated/client/client.js';
import { InvalidCursorError } from '../../errors.js';
import { isId } from '../../ids.js';

export function encodeMessageCursor(sequence: number): string {
  return Buffer.from(`m${sequence}`).toString('base64url');
}

/**
 * The sequence number that `after` names: a cursor, or the id of a message of this thread, also of one that a summary
 * replaced. Throws an `InvalidCursorError` for anything else.
 */
export async function resolveMessageCursor(
  database: PrismaClient,
  { threadId, after }: { threadId: string; after: string },
): Promise<number> {
  if (isId('msg', after)) {
    const message = await database.message.findFirst({ where: { id: after, threadId }, select: { sequence: true } });
    if (message) return message.sequence;
  }
  const sequence = /^m([0-9]{1,9})$/.exec(Buffer.from(after, 'base64url').toString())?.[1];
  if (sequence === undefined) throw new InvalidCursorError();
  return Number(sequence);
}
