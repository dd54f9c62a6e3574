/** The export of the viewer's own data in the GraphQL schema. */
import { builder, type Context } from '../../builder.js';
import { clampedPageSize, defaultPageSize } from '../../contract.js';
import { InvalidCursorError } from '../../errors.js';
import { auditExport, isExportOf } from '../identity/audit/audit-log.js';
import { requireSession } from '../identity/session.js';
import { attachmentUrl } from '../links.js';
import { appliedLimit } from '../paging.js';
import { decodeExportCursor, encodeExportCursor } from './export-cursor.js';
import { type ExportedRecord, readExportPage } from './export-page.js';
import type { RecordType } from './record-lists.js';

const RecordTypeType = builder.enumType('DataExportRecordType', {
  description: 'What a record of an export is about. Records come in this order.',
  values: {
    USER: { value: 'user', description: 'You: the first record.' },
    ACCESS_TOKEN: { value: 'access_token', description: 'One of your access tokens, without its secret.' },
    SESSION: { value: 'session', description: 'A browser in which you are signed in.' },
    SIGN_IN_METHOD: { value: 'sign_in_method', description: 'A way in which you sign in, without its secret.' },
    THREAD: { value: 'thread', description: 'A thread that you own.' },
    MESSAGE: { value: 'message', description: 'A message of one of your threads.' },
    MESSAGE_REASONING: {
      value: 'message_reasoning',
      description: 'What the model thought before an answer in one of your threads.',
    },
    SENT_MESSAGE: { value: 'sent_message', description: 'A message that you sent to a thread of another person.' },
    FEEDBACK: { value: 'feedback', description: 'A rating that you gave.' },
    READ_POSITION: { value: 'read_position', description: 'How far you have read a thread.' },
    THREAD_PIN: { value: 'thread_pin', description: 'A thread that you have pinned.' },
    ATTACHMENT: { value: 'attachment', description: 'A file that you uploaded or announced, with its `url`.' },
  } as const satisfies Record<string, { value: RecordType; description: string }>,
});

const DataExportRecord = builder.objectRef<ExportedRecord>('DataExportRecord').implement({
  description: 'A record of an export.',
  fields: (t) => ({
    type: t.expose('type', { type: RecordTypeType, description: 'What the record is about.' }),
    line: t.string({
      description:
        'The record as one line of JSON, which names its `type` too. The lines of all pages together are a file in the format JSON Lines.',
      resolve: ({ type, record }, _args, { publicUrl }) =>
        JSON.stringify({ type, ...withUrl(type, record, publicUrl) }),
    }),
  }),
});

/** The content of an attachment is not part of an export, but where it is found. */
function withUrl(type: RecordType, record: object, publicUrl: string): object {
  if (type !== 'attachment' || !('id' in record)) return record;
  return { ...record, url: attachmentUrl(publicUrl, String(record.id)) };
}

interface Page {
  records: ExportedRecord[];
  cursor: string | null;
  hasNextPage: boolean;
}

/** Not a connection: records are lines of a file and no nodes, and only the last one's cursor is of use. */
const DataExportPage = builder.objectRef<Page>('DataExportPage').implement({
  description: 'A page of an export.',
  fields: (t) => ({
    records: t.expose('records', { type: [DataExportRecord], description: 'The records of the page.' }),
    cursor: t.exposeString('cursor', {
      nullable: true,
      description: 'Cursor of the last record, for `after`; null if the page is empty. It is opaque.',
    }),
    hasNextPage: t.exposeBoolean('hasNextPage', { description: 'Whether more records follow.' }),
  }),
});

builder.queryField('dataExport', (t) =>
  t.field({
    type: DataExportPage,
    description:
      'Everything that is stored about you: account, access tokens, sessions, ways to sign in, threads with all messages, messages in threads of others, ratings and attachments, but no passwords and no secrets of tokens. A page has fewer records than requested where their texts are long. The first page is recorded in the audit log. Requires a person who is signed in to the web application: administrators export nobody but themselves.',
    authScopes: { scope: 'me:read' },
    args: {
      first: t.arg.int({ description: `Maximum number of items. Default: ${defaultPageSize}. ${clampedPageSize}` }),
      after: t.arg.string({
        description: 'Return only records after this cursor. It is valid as long as the audit log has the export.',
      }),
    },
    resolve: async (_root, { first, after: cursor }, context) => {
      requireSession(context.viewer);
      const { userId } = context.viewer;
      const most = appliedLimit(first);
      const after = cursor == null ? null : decodeExportCursor(cursor);
      const exportId = after
        ? await known(context, after.exportId)
        : await auditExport(context.database, { userId, actorId: userId });
      const request = { source: context, userId };
      const { records, hasMore: hasNextPage } = await readExportPage(request, { after, most });
      const last = records.at(-1);
      return { records, hasNextPage, cursor: last ? encodeExportCursor({ exportId, ...last }) : null };
    },
  }),
);

/** Throws an `InvalidCursorError` unless the viewer began the export. */
async function known({ database, viewer }: Context, exportId: string): Promise<string> {
  if (await isExportOf(database, { id: exportId, userId: viewer.userId })) return exportId;
  throw new InvalidCursorError();
}
