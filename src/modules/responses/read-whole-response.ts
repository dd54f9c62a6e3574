/**
 * Reads a response with the messages of its answer and their contents by one statement of our own, where an operation selects
 * nothing but what is here, as a poll does. Contents that are not small are left to `page-contents.ts`, which waits for room.
 */
import { Prisma } from '../../../prisma/generated/client/client.js';
import type { ResponseStatus } from '../../../prisma/generated/client/enums.js';
import type { LoadContext } from '../batches.js';
import { isMessageRow } from '../message-row.js';
import { hasContents } from '../messages/page-contents.js';
import { type ContentsRow, contentsSql, messageOf, type WholeMessage } from '../messages/read-page.js';
import { threadOfSql, visibleToSql, type Who } from '../threads/visibility.js';
import { type WholeRow, whole } from '../whole-row.js';

interface ResponseColumns {
  messageId: string;
  status: ResponseStatus;
  epoch: bigint;
  errorCode: string | null;
  errorMessage: string | null;
}

export interface WholeResponse extends ResponseColumns, WholeRow {
  /** Of a response that is complete. */
  answers: WholeMessage[];
}

type Row = ResponseColumns & { [Column in keyof ContentsRow]: ContentsRow[Column] | null };

/** Null if the response does not exist or the viewer may not see it. */
export async function readWholeResponse(
  { database, answer, viewer }: LoadContext & { viewer: Who },
  message: { threadId: string; messageId: string },
): Promise<WholeResponse | null> {
  const rows = await database.$queryRaw<Row[]>(wholeResponseSql(viewer, message, answer.loadable));
  const [first] = rows;
  if (!first) return null;
  const { messageId, status, epoch, errorCode, errorMessage } = first;
  const messages = rows.filter((row): row is ResponseColumns & ContentsRow => row.id !== null);
  if (messages.every(({ body }) => body !== null)) answer.load(messages.reduce((sum, { bytes }) => sum + bytes, 0));
  return whole({ messageId, status, epoch, errorCode, errorMessage, answers: messages.map(messageOf) });
}

/** For `graphql/whole-rows.ts`. */
export function answersOfWholeResponse({ answers }: Pick<WholeResponse, 'answers'>): WholeMessage[] {
  return answers;
}

const columns: ReadonlySet<string> = new Set(['messageId', 'status', 'epoch', 'errorCode', 'errorMessage']);

/** Whether a selection of a response, in the form of Prisma, has nothing but what is read here, contents among it. */
export function isWholeResponse(select: object): boolean {
  const { message, ...rest } = select as { message?: { select?: { answers?: { select?: object } } } };
  const { answers, ...others } = message?.select ?? {};
  const isAnswers = isMessageRow(answers?.select ?? {}) && hasContents(answers?.select ?? {});
  return isAnswers && Object.keys(others).length === 0 && Object.keys(rest).every((name) => columns.has(name));
}

/** Exported so that a test can check its plan. */
export function wholeResponseSql(
  viewer: Who,
  { threadId, messageId }: { threadId: string; messageId: string },
  loadable: number,
): Prisma.Sql {
  const answers = Prisma.sql`
    SELECT m.* FROM message m WHERE r.status = 'succeeded' AND m.reply_to_id = r.message_id ORDER BY m.position`;
  return Prisma.sql`
    SELECT r.message_id AS "messageId", r.status::text AS status, r.epoch, r.error_code AS "errorCode",
      r.error_message AS "errorMessage", answer.*
    FROM response r ${threadOfSql} JOIN message asked ON asked.id = r.message_id
    LEFT JOIN LATERAL (${contentsSql(answers, { loadable, isJoined: true })}) answer ON true
    WHERE r.message_id = ${messageId} AND r.thread_id = ${threadId} AND asked.hidden_with_id IS NULL AND ${visibleToSql(viewer)}
    ORDER BY answer.place`;
}
