/**
 * What Skein stores about one person, as lists of records in a fixed order, for the command line and for GraphQL. Secrets are
 * not among it, not even as digests. Each list is read after a key and by an index, so an export can stop and go on anywhere,
 * and costs one statement a page, whatever a person has; messages cost two, because only their size tells where a page ends.
 */
import type { PrismaClient } from '../../../prisma/generated/client/client.js';
import type { Context } from '../../builder.js';
import { loadPageContents } from '../messages/page-contents.js';

/** The types of records, in the order of the export. */
export const recordTypes = [
  'user',
  'access_token',
  'session',
  'sign_in_method',
  'thread',
  'message',
  'message_reasoning',
  'sent_message',
  'feedback',
  'read_position',
  'thread_pin',
  'attachment',
] as const;
export type RecordType = (typeof recordTypes)[number];

/** Of which person, and within which limits of bytes. */
export interface ExportRequest {
  source: Pick<Context, 'database' | 'answer'>;
  userId: string;
}

/** A record, and the key after which the next one is read. */
export interface KeyedRecord {
  key: string;
  record: object;
}

export interface RecordPage {
  items: KeyedRecord[];
  /** Whether more records of the list follow. */
  hasMore: boolean;
}

export interface ListPosition {
  /** The key of the last record that was read; empty at the beginning. */
  after: string;
  /** Maximum number of records; 0 only tells whether there are any. */
  most: number;
}

type ReadRows<Row> = (query: { database: PrismaClient; userId: string; after: string; take: number }) => Promise<Row[]>;

/** Reads a list whose rows each hold little. One row more than requested tells whether more follow. */
function readBy<Row extends object>(keyOf: (row: Row) => string, read: ReadRows<Row>) {
  return async ({ source, userId }: ExportRequest, { after, most }: ListPosition): Promise<RecordPage> => {
    const rows = await read({ database: source.database, userId, after, take: most + 1 });
    const items = rows.slice(0, most).map((record) => ({ key: keyOf(record), record }));
    return { items, hasMore: rows.length > most };
  };
}

const idOf = ({ id }: { id: string }) => id;
const afterId = (userId: string, after: string) => ({ where: { userId, id: { gt: after } } });
const byId = { orderBy: { id: 'asc' } } as const;

const user = readBy(idOf, async ({ database, userId: id, after, take }) => {
  const include = { organization: { select: { slug: true, name: true } } };
  const omit = { organizationId: true };
  return database.user.findMany({ where: { id, AND: [{ id: { gt: after } }] }, include, omit, take });
});

const accessTokens = readBy(idOf, ({ database, userId, after, take }) =>
  database.accessToken.findMany({ ...afterId(userId, after), ...byId, take, omit: { userId: true, digest: true } }),
);

const sessions = readBy(idOf, ({ database, userId, after, take }) =>
  database.session.findMany({ ...afterId(userId, after), ...byId, take, omit: { userId: true, token: true } }),
);

const signInMethods = readBy(idOf, ({ database, userId, after, take }) => {
  const select = { id: true, providerId: true, issuer: true, accountId: true, scope: true, createdAt: true };
  return database.account.findMany({ ...afterId(userId, after), ...byId, take, select });
});

const threadFields = {
  ...{ id: true, name: true, state: true, isPrivate: true, archived: true, model: true, instructions: true },
  ...{ tags: true, createdAt: true, updatedAt: true },
};

const threads = readBy(idOf, ({ database, userId: ownerId, after, take }) =>
  database.thread.findMany({ where: { ownerId, id: { gt: after } }, select: threadFields, ...byId, take }),
);

const feedback = readBy(
  ({ messageId }: { messageId: string }) => messageId,
  ({ database, userId, after, take }) => {
    const where = { userId, messageId: { gt: after } };
    const omit = { userId: true, organizationId: true };
    return database.feedback.findMany({ where, omit, orderBy: { messageId: 'asc' }, take });
  },
);

const threadIdOf = ({ threadId }: { threadId: string }) => threadId;
const afterThread = (userId: string, after: string) =>
  ({ where: { userId, threadId: { gt: after } }, omit: { userId: true }, orderBy: { threadId: 'asc' } }) as const;

const readPositions = readBy(threadIdOf, ({ database, userId, after, take }) =>
  database.readPosition.findMany({ ...afterThread(userId, after), take }),
);

const pins = readBy(threadIdOf, ({ database, userId, after, take }) =>
  database.threadPin.findMany({ ...afterThread(userId, after), take }),
);

/** Without the content, which each reader of the export gets in its own way. */
const attachments = readBy(idOf, ({ database, userId: ownerId, after, take }) => {
  const omit = { ownerId: true, content: true, digest: true } as const;
  return database.attachment.findMany({ where: { ownerId, id: { gt: after } }, omit, ...byId, take });
});

interface MessageRow {
  id: string;
  threadId: string;
  sequence: number;
  role: string;
  authorId: string | null;
  active: boolean;
  createdAt: Date;
}

/** The messages of all threads of the person, thread by thread. Keys are like `thr_… 4`. */
async function messages({ source, userId }: ExportRequest, { after, most }: ListPosition): Promise<RecordPage> {
  const [threadId = '', sequence = '0'] = after.split(' ');
  const take = most + 1;
  const rows = await source.database.$queryRaw<MessageRow[]>`
    SELECT m.id, t.id AS "threadId", m.sequence, m.role::text AS role, m.author_id AS "authorId", m.active, m.created_at AS "createdAt"
    FROM thread t CROSS JOIN LATERAL (
      SELECT * FROM message m WHERE m.thread_id = t.id
        AND m.sequence > CASE WHEN t.id = ${threadId} THEN ${Number(sequence)}::int ELSE 0 END
      ORDER BY m.sequence LIMIT ${take}::int) m
    WHERE t.owner_id = ${userId} AND t.id >= ${threadId}
    ORDER BY t.id, m.sequence LIMIT ${take}::int`;
  const page = await withContents(source, rows, { most, keyOf: (row) => `${row.threadId} ${row.sequence}` });
  return page ?? messages({ source, userId }, { after, most });
}

/**
 * The first messages as records with their contents. The page may end early, where it has enough bytes. Null if all of the
 * messages have just been deleted: then the page must be read again.
 */
async function withContents<Row extends { id: string }>(
  source: ExportRequest['source'],
  rows: readonly Row[],
  { most, keyOf }: { most: number; keyOf: (row: Row) => string },
): Promise<RecordPage | null> {
  const wanted = rows.slice(0, most);
  if (wanted.length === 0) return { items: [], hasMore: rows.length > 0 };
  const contents = await loadPageContents(source, wanted.map(idOf));
  // A message without contents before the last one has just been deleted.
  const last = wanted.findLastIndex(({ id }) => contents.has(id));
  if (last === -1) return null;
  const items = wanted
    .slice(0, last + 1)
    .filter(({ id }) => contents.has(id))
    .map((row) => ({ key: keyOf(row), record: { ...row, contents: contents.get(row.id) } }));
  return { items, hasMore: rows.length > last + 1 };
}

interface ReasoningRow {
  messageId: string;
  threadId: string;
  sequence: number;
  text: string;
}

/** A page has few of them, because each may be long. */
const mostReasonings = 20;

/** What the model thought in all threads of the person. Keys are as for messages. */
async function reasonings({ source, userId }: ExportRequest, { after, most }: ListPosition): Promise<RecordPage> {
  const [threadId = '', sequence = '0'] = after.split(' ');
  const wanted = Math.min(most, mostReasonings);
  const rows = await source.database.$queryRaw<ReasoningRow[]>`
    SELECT m.id AS "messageId", t.id AS "threadId", m.sequence, m.text
    FROM thread t CROSS JOIN LATERAL (
      SELECT m.id, m.sequence, r.text FROM message m JOIN message_reasoning r ON r.message_id = m.id
      WHERE m.thread_id = t.id AND m.sequence > CASE WHEN t.id = ${threadId} THEN ${Number(sequence)}::int ELSE 0 END
      ORDER BY m.sequence LIMIT ${wanted + 1}::int) m
    WHERE t.owner_id = ${userId} AND t.id >= ${threadId}
    ORDER BY t.id, m.sequence LIMIT ${wanted + 1}::int`;
  const items = rows
    .slice(0, wanted)
    .map(({ sequence: place, ...record }) => ({ key: `${record.threadId} ${place}`, record }));
  return { items, hasMore: rows.length > wanted };
}

interface SentRow {
  id: string;
  threadId: string;
  createdAt: Date;
}

/**
 * What the person sent to threads of others, whether or not they may still see those. A page reads on over messages in their own
 * threads, by the index of authors.
 */
async function sentMessages({ source, userId }: ExportRequest, { after, most }: ListPosition): Promise<RecordPage> {
  const take = most + 1;
  const rows = await source.database.$queryRaw<SentRow[]>`
    SELECT m.id, m.thread_id AS "threadId", m.created_at AS "createdAt"
    FROM message m JOIN thread t ON t.id = m.thread_id
    WHERE m.author_id = ${userId} AND m.id > ${after} AND t.owner_id <> ${userId}
    ORDER BY m.id LIMIT ${take}::int`;
  return (await withContents(source, rows, { most, keyOf: idOf })) ?? sentMessages({ source, userId }, { after, most });
}

export const recordLists: Record<RecordType, (request: ExportRequest, position: ListPosition) => Promise<RecordPage>> =
  {
    user,
    access_token: accessTokens,
    session: sessions,
    sign_in_method: signInMethods,
    thread: threads,
    message: messages,
    message_reasoning: reasonings,
    sent_message: sentMessages,
    feedback,
    read_position: readPositions,
    thread_pin: pins,
    attachment: attachments,
  };
