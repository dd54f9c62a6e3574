/**
 * The ratings that members of an organization gave, newest first, for its administrators. Ratings in threads that an
 * administrator may not see, which are the private ones of others, are left out.
 */
import { Prisma, type PrismaClient } from '../../../prisma/generated/client/client.js';
import { InvalidCursorError } from '../../errors.js';
import { isId } from '../../ids.js';
import { decodeCursorText, encodeCursorText } from '../cursor-text.js';
import type { Viewer } from '../identity/authenticate.js';
import { visibleToSql } from '../threads/visibility.js';

export interface GivenFeedback {
  messageId: string;
  threadId: string;
  threadTitle: string | null;
  userId: string;
  userName: string | null;
  positive: boolean;
  text: string | null;
  ratedAt: Date;
}

/** A position in the list; it stays valid when the rating is changed or withdrawn. */
export type FeedbackPosition = Pick<GivenFeedback, 'ratedAt' | 'messageId' | 'userId'>;

export interface FeedbackPageRequest {
  viewer: Viewer;
  /** Only thumbs up (true) or thumbs down (false); null: both. */
  positive: boolean | null;
  /** Return only ratings before this one in time. */
  after: FeedbackPosition | null;
  limit: number;
}

export function readFeedback(
  database: PrismaClient,
  { viewer, positive, after, limit }: FeedbackPageRequest,
): Promise<GivenFeedback[]> {
  const before = after
    ? Prisma.sql`AND (f.updated_at, f.message_id, f.user_id) < (${after.ratedAt}, ${after.messageId}, ${after.userId})`
    : Prisma.empty;
  const wanted = positive === null ? Prisma.empty : Prisma.sql`AND f.positive = ${positive}`;
  return database.$queryRaw<GivenFeedback[]>`
    SELECT f.message_id AS "messageId", t.id AS "threadId", CASE WHEN t.name ~ '\\S' THEN t.name ELSE coalesce(t.generated_name, t.opening) END AS "threadTitle",
      f.user_id AS "userId", u.name AS "userName", f.positive, f.text, f.updated_at AS "ratedAt"
    FROM feedback f JOIN message m ON m.id = f.message_id JOIN thread t ON t.id = m.thread_id
      JOIN user_account u ON u.id = f.user_id
    WHERE f.organization_id = ${viewer.organizationId} AND ${visibleToSql(viewer)} ${wanted} ${before}
    ORDER BY f.updated_at DESC, f.message_id DESC, f.user_id DESC LIMIT ${limit}::int`;
}

export function encodeFeedbackCursor({ ratedAt, messageId, userId }: FeedbackPosition): string {
  return encodeCursorText(`${ratedAt.getTime()}|${messageId}|${userId}`);
}

/** Throws an `InvalidCursorError` for any text that `encodeFeedbackCursor` cannot have produced. */
export function decodeFeedbackCursor(cursor: string): FeedbackPosition {
  const parts = /^(\d{1,15})\|(\w+)\|(\w+)$/.exec(decodeCursorText(cursor) ?? '') ?? [];
  const [, ms = '', messageId = '', userId = ''] = parts;
  if (!isId('msg', messageId) || !isId('usr', userId)) throw new InvalidCursorError();
  return { ratedAt: new Date(Number(ms)), messageId, userId };
}
