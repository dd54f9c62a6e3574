/** What the lists of a benchmark are read from: an organization with threads, some of them long, stored in bulk. */
import pg from 'pg';
import { createId } from '../../../src/ids.js';
import type { Child } from './child.js';

export interface BenchPerson {
  userId: string;
  organizationId: number;
  token: string;
}

export interface Seeded extends BenchPerson {
  /** A thread with as many messages as asked for. */
  threadId: string;
  /** A user message of it whose response is complete. */
  messageId: string;
}

const paragraph = 'A sentence of an ordinary length, such as people write to each other. '.repeat(5);

/** `threads` threads in one organization, the first ten of them with `messages` messages each. */
export async function seed(
  { service, databaseUrl }: { service: Child; databaseUrl: string },
  sizes: { threads: number; messages: number },
): Promise<Seeded> {
  const person = await service.ask<BenchPerson>('person', `bench-${Date.now().toString(36)}`);
  const threadIds = Array.from({ length: sizes.threads }, () => createId('thr'));
  const messageIds = Array.from({ length: Math.min(10, threadIds.length) }, () =>
    Array.from({ length: sizes.messages }, () => createId('msg')),
  );
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    await client.query(
      `INSERT INTO thread (id, organization_id, owner_id, name, state, last_sequence, created_at, updated_at)
       SELECT id, $2, $3, 'Thread ' || n, 'ready', $4, now() - n * interval '1 minute', now() - n * interval '1 minute'
       FROM unnest($1::text[]) WITH ORDINALITY AS thread (id, n)`,
      [threadIds, person.organizationId, person.userId, sizes.messages * 2],
    );
    for (const [index, ids] of messageIds.entries()) await addMessages(client, threadIds[index] ?? '', ids);
    await client.query('ANALYZE');
  } finally {
    await client.end();
  }
  return { ...person, threadId: threadIds[0] ?? '', messageId: messageIds[0]?.[0] ?? '' };
}

/** Turns of user and assistant, each user's with a complete response. */
async function addMessages(client: pg.Client, threadId: string, ids: readonly string[]): Promise<void> {
  await client.query(
    `INSERT INTO message (id, thread_id, sequence, role, contents, reply_to_id, position, created_at)
     SELECT id, $1, n * 2, CASE WHEN n % 2 = 1 THEN 'user' ELSE 'assistant' END::message_role,
       jsonb_build_array(jsonb_build_object('type', 'text', 'text', $3::text)),
       CASE WHEN n % 2 = 0 THEN lag(id) OVER (ORDER BY n) END, CASE WHEN n % 2 = 0 THEN 0 END, now()
     FROM unnest($2::text[]) WITH ORDINALITY AS message (id, n)`,
    [threadId, ids, paragraph],
  );
  await client.query(
    `INSERT INTO response (message_id, thread_id, status, attempt, created_at, started_at, finished_at)
     SELECT id, thread_id, 'succeeded', 1, now(), now(), now() FROM message WHERE thread_id = $1 AND role = 'user'`,
    [threadId],
  );
}
