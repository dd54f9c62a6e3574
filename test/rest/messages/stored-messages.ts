/** Messages that no caller and no model of the tests can make, put into the database as the service stores them. */
import { Prisma } from '../../../prisma/generated/client/client.js';
import { createId } from '../../../src/ids.js';
import type { ContentBlock } from '../../../src/modules/messages/content.js';
import { runSql } from '../../support/server.js';
import type { TestService } from '../../support/service.js';

export interface StoredMessage {
  id?: string;
  role?: 'user' | 'assistant' | 'summary';
  contents?: ContentBlock[];
  active?: boolean;
}

/** Adds the messages, those of users by the owner, to the end of the thread, one second apart, and returns their ids. */
export async function storeMessages(
  { service: { database }, storage }: TestService,
  threadId: string,
  messages: readonly StoredMessage[],
): Promise<string[]> {
  const { lastSequence, updatedAt, ownerId } = await database.thread.findUniqueOrThrow({ where: { id: threadId } });
  const rows = messages.map(({ id = createId('msg'), role = 'user', contents = [], active = true }, index) => ({
    ...{ id, thread_id: threadId, role, active, contents, author_id: role === 'user' ? ownerId : null },
    sequence: lastSequence + 2 * (index + 1),
    created_at: new Date(updatedAt.getTime() + 1000 * (index + 1)),
  }));
  const columns = Prisma.raw('id, thread_id, sequence, role, active, contents, author_id, created_at');
  // The triggers split long texts into words, which takes longer on a busy machine than the service gives a statement.
  await runSql(
    storage.url,
    Prisma.sql`
      INSERT INTO message (${columns})
      SELECT ${columns} FROM json_populate_recordset(NULL::message, ${JSON.stringify(rows)}::json)`,
  );
  const last = rows.at(-1);
  if (last) {
    const moved = { lastSequence: last.sequence, updatedAt: last.created_at };
    await database.thread.update({ where: { id: threadId }, data: moved });
  }
  return rows.map((row) => row.id);
}

/** Messages that say "1", "2" and so on. */
export function numbered(count: number): StoredMessage[] {
  return Array.from({ length: count }, (_, index) => ({ contents: [{ type: 'text', text: String(index + 1) }] }));
}
