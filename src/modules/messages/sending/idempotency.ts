/**
 * Idempotency keys: a repeated request with the same key gets the first result for a day. The key is stored by the
 * statement that stores the message, so neither exists without the other. It is checked before the state of the thread,
 * because a retry must succeed although the thread is busy by then. Errors are not stored.
 */
import { createHash } from 'node:crypto';
import { Prisma, type PrismaClient } from '../../../../prisma/generated/client/client.js';
import { IdempotencyKeyInUseError, IdempotencyKeyReusedError } from '../../../errors.js';
import type { Viewer } from '../../identity/authenticate.js';
import { noSlots, type Slots } from '../../responses/protocol/claim-at-once.js';
import { sqlStateOf } from '../../sql-state.js';
import type { PostedMessage } from './posted-message.js';

export const keptHours = 24;

/** A request and its key. */
export interface KeyedRequest {
  viewer: Viewer;
  /** The operation, without its input. */
  operation: string;
  /** Null if the caller sent none: then nothing is looked up or stored. */
  key: string | null;
  fingerprint: Uint8Array<ArrayBuffer>;
  /** Of the request's span, for the response; null if it is not traced. */
  traceparent: string | null;
  /** Lends the slot in which the response may begin at once. */
  slots: Slots;
}

interface RequestParts {
  key: string | null;
  body: unknown;
  span?: { traceparent: string } | null;
  slots?: Slots;
}

export function keyedRequest(
  viewer: Viewer,
  operation: string,
  { key, body, span = null, slots = noSlots }: RequestParts,
): KeyedRequest {
  const fingerprint = new Uint8Array(createHash('sha256').update(JSON.stringify(body)).digest());
  return { viewer, operation, key, fingerprint, traceparent: span?.traceparent ?? null, slots };
}

/**
 * Runs `post` unless its key has a stored result. Throws an `IdempotencyKeyReusedError` if the key was used for a
 * different request, and an `IdempotencyKeyInUseError` if the first request has not ended within the lock timeout.
 */
export async function once(
  database: PrismaClient,
  request: KeyedRequest,
  post: () => Promise<PostedMessage>,
): Promise<PostedMessage & { replayed: boolean }> {
  const earlier = await findAnswer(database, request);
  if (earlier) return earlier;
  try {
    return { ...(await post()), replayed: false };
  } catch (error) {
    if (request.key !== null && sqlStateOf(error) === lockNotAvailable) throw new IdempotencyKeyInUseError();
    const first = await findAnswer(database, request);
    if (first) return first;
    throw error;
  }
}

/**
 * The part of a sending statement that stores the key; `thread` is its thread row, missing if the message was rejected.
 */
export function storeKeySql(request: KeyedRequest, messageId: string): Prisma.Sql {
  if (request.key === null) return Prisma.sql`SELECT 1`;
  return Prisma.sql`
    INSERT INTO idempotency_key (user_id, operation, key, fingerprint, thread_id, message_id, created_at)
    SELECT ${request.viewer.userId}, ${request.operation}, ${request.key}, ${request.fingerprint}, id, ${messageId}, clock_timestamp()
    FROM thread`;
}

async function findAnswer(
  database: PrismaClient,
  { viewer, operation, key, fingerprint }: KeyedRequest,
): Promise<(PostedMessage & { replayed: true }) | null> {
  if (key === null) return null;
  const [row] = await database.$queryRaw<{ threadId: string; messageId: string; sameBody: boolean }[]>`
    WITH expired AS (
      DELETE FROM idempotency_key WHERE user_id = ${viewer.userId} AND operation = ${operation} AND key = ${key}
        AND created_at < clock_timestamp() - ${keptHours} * interval '1 hour')
    SELECT thread_id AS "threadId", message_id AS "messageId", fingerprint = ${fingerprint} AS "sameBody" FROM idempotency_key
    WHERE user_id = ${viewer.userId} AND operation = ${operation} AND key = ${key}
      AND created_at >= clock_timestamp() - ${keptHours} * interval '1 hour'`;
  if (!row) return null;
  if (!row.sameBody) throw new IdempotencyKeyReusedError();
  return { threadId: row.threadId, messageId: row.messageId, replayed: true };
}

const lockNotAvailable = '55P03';
