/** Reads the row of a response for a viewer, which every stream relies on. */
import { Prisma, type PrismaClient } from '../../../../prisma/generated/client/client.js';
import type { Viewer } from '../../identity/authenticate.js';
import { tokenLivesSql } from '../../identity/tokens/living-token.js';
import { type ContentBlock, textOf } from '../../messages/content.js';
import { threadOfSql, visibleToSql } from '../../threads/visibility.js';
import type { StoredRetryNote } from '../protocol/note-retry.js';
import type { ResponseSnapshot } from './response-event.js';

export interface ReadResponseOptions {
  viewer: Viewer;
  /** Id of the thread. If given, the message must belong to it. */
  threadId: string | null;
  messageId: string;
  /** Whether to load the stored text; otherwise `text` is empty. */
  withText: boolean;
  /** Whether to find only responses of the active branch. A viewer who has begun gets the whole response all the same. */
  isBeginning?: boolean;
}

/** With its thread. */
export interface VisibleResponse extends ResponseSnapshot {
  threadId: string;
}

/**
 * The response to a user message. Null if there is none, the viewer cannot see the thread, or the viewer's token has
 * ended.
 */
export async function readResponse(
  database: PrismaClient,
  options: ReadResponseOptions,
): Promise<VisibleResponse | null> {
  const [row] = await database.$queryRaw<ResponseRow[]>(visibleResponseSql(options));
  if (!row) return null;
  const { threadId: inThread, status, errorCode: code, errorMessage: message } = row;
  const error = code !== null && message !== null ? { code, message } : null;
  return {
    threadId: inThread,
    status,
    epoch: Number(row.epoch),
    text: (row.contents ?? []).map(textOf).join(''),
    error,
    retry: row.retry?.epoch === Number(row.epoch) ? row.retry : null,
  };
}

/** Exported so that a test can check its plan. */
export function visibleResponseSql(options: ReadResponseOptions): Prisma.Sql {
  const { viewer, threadId, messageId, withText, isBeginning = false } = options;
  return Prisma.sql`
    SELECT t.id AS "threadId", r.status::text AS status, r.epoch, r.error_code AS "errorCode", r.error_message AS "errorMessage", r.retry,
      CASE WHEN ${withText} THEN
        (SELECT jsonb_agg(m.contents ORDER BY m.position) FROM message m WHERE m.reply_to_id = r.message_id)
      END AS contents
    FROM response r ${threadOfSql}
    WHERE r.message_id = ${messageId} AND (${threadId}::text IS NULL OR r.thread_id = ${threadId}) AND ${visibleToSql(viewer)}
      AND (NOT ${isBeginning} OR EXISTS (SELECT 1 FROM message m WHERE m.id = r.message_id AND m.hidden_with_id IS NULL))
      AND ${tokenLivesSql(viewer)}`;
}

interface ResponseRow {
  threadId: string;
  status: ResponseSnapshot['status'];
  epoch: bigint;
  errorCode: string | null;
  errorMessage: string | null;
  retry: StoredRetryNote | null;
  contents: ContentBlock[][] | null;
}
