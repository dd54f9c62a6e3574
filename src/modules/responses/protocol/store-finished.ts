/**
 * Stores a thread whose responses ended elsewhere. One statement creates it in state `ready` with all of its messages, so there is
 * never a part of it, and no worker ever sees it. Nothing is queued and no tokens are charged.
 */
import type { PrismaClient } from '../../../../prisma/generated/client/client.js';

/** Times that are missing or in the future become the present one. */
export interface FinishedThread {
  id: string;
  organizationId: number;
  ownerId: string;
  /** Unique for the owner: of several threads with the same one, the first is stored. */
  importKey: string;
  name: string | null;
  opening: string | null;
  isArchived: boolean;
  createdAt: Date | null;
  messages: readonly FinishedMessage[];
}

export interface FinishedMessage {
  id: string;
  role: 'user' | 'assistant';
  text: string;
  /** The user message that it answers, and its place in that answer. */
  answers: { messageId: string; position: number } | null;
  /** How the response to a user message ended; null if it has none, and for every other message. */
  response: { model: string | null; endedAt: Date | null } | null;
  /** Not before that of the message before it. */
  createdAt: Date | null;
}

/**
 * Returns false if the owner has a thread with the key. The thread is private, and counts as changed now, whenever its messages were
 * written: whoever asks for what has changed since a time, and retention, must not overlook it.
 */
export async function storeFinished(database: PrismaClient, thread: FinishedThread): Promise<boolean> {
  const { messages } = thread;
  const lastSequence = 2 * messages.length;
  const stored = await database.$queryRaw<unknown[]>`
    WITH moment AS MATERIALIZED (SELECT date_trunc('milliseconds', clock_timestamp()) AS now),
    thread AS (
      INSERT INTO thread (id, organization_id, owner_id, import_key, name, opening, is_private, archived, state, last_sequence,
        created_at, updated_at, active_at)
      SELECT ${thread.id}, ${thread.organizationId}, ${thread.ownerId}, ${thread.importKey}, ${thread.name}, ${thread.opening}, true,
        ${thread.isArchived}, 'ready', ${lastSequence}::int, least(${thread.createdAt}::timestamptz, now), now,
        least(${messages.at(-1)?.createdAt ?? null}::timestamptz, now)
      FROM moment
      -- Beside the conflict, which would not keep the triggers from telling feeds of a change.
      WHERE NOT EXISTS (SELECT FROM thread t WHERE t.owner_id = ${thread.ownerId} AND t.import_key = ${thread.importKey})
      ON CONFLICT (owner_id, import_key) WHERE import_key IS NOT NULL DO NOTHING RETURNING id, owner_id, updated_at AS now),
    given AS MATERIALIZED (
      SELECT thread.id AS thread_id, thread.owner_id, thread.now, g.* FROM thread, jsonb_to_recordset(${rowsOf(messages)}::jsonb) AS g (
        id text, sequence int, role message_role, contents jsonb, reply_to_id text, position int, created_at timestamptz,
        has_response boolean, model text, ended_at timestamptz)),
    message AS (
      INSERT INTO message (id, thread_id, sequence, role, contents, reply_to_id, position, author_id, created_at)
      SELECT id, thread_id, sequence, role, contents, reply_to_id, position, CASE role WHEN 'user' THEN owner_id END,
        least(created_at, now) FROM given),
    response AS (
      INSERT INTO response (message_id, thread_id, status, model, created_at, finished_at)
      SELECT id, thread_id, 'succeeded', model, least(created_at, now), least(ended_at, now) FROM given WHERE has_response),
    event AS (
      INSERT INTO thread_event (thread_id, at, what, epoch, node)
      SELECT id, now, 'imported', 0, current_setting('application_name') FROM thread)
    SELECT id FROM thread`;
  return stored.length > 0;
}

function rowsOf(messages: readonly FinishedMessage[]): string {
  return JSON.stringify(
    messages.map(({ id, role, text, answers, response, createdAt }, at) => ({
      id,
      sequence: 2 * (at + 1),
      role,
      contents: [{ type: 'text', text }],
      reply_to_id: answers?.messageId,
      position: answers?.position,
      created_at: createdAt,
      has_response: response !== null,
      model: response?.model,
      ended_at: response?.endedAt,
    })),
  );
}
