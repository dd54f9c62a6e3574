/** Subscriptions to changes of threads in the GraphQL schema. */
import { queryFromInfo } from '@pothos/plugin-prisma';
import { builder } from '../../builder.js';
import { InvalidCursorError, NotFoundError } from '../../errors.js';
import { onAbort } from '../../platform/async/cancellable-stream.js';
import { runInTurn } from '../../platform/fairness/run-in-turn.js';
import { Positioned } from '../positioned.js';
import { Thread } from '../threads/schema.js';
import { threadColumns } from '../threads/thread-row.js';
import { visibleTo } from '../threads/visibility.js';
import { decodeChangeCursor } from './change-cursor.js';
import { followThread, readThreadVersion } from './follow-thread.js';
import { followThreads, type ThreadsChange } from './follow-threads.js';
import { readChanges, readHistory } from './read-changes.js';

const pageSize = 100;

type Change = ThreadsChange<typeof Thread.$inferType>;
type ChangeOf<Type extends Change['type']> = Extract<Change, { type: Type }>;

const cursorDescription = 'Position after this event, to resume with `after`. It never expires.';

const ThreadUpserted = builder.objectRef<ChangeOf<'upserted'>>('ThreadUpserted').implement({
  description:
    'A thread was created, changed, or became visible to you. Replace your copy with it. The event may repeat without a change.',
  interfaces: [Positioned],
  fields: (t) => ({
    cursor: t.exposeString('cursor', { description: cursorDescription }),
    thread: t.field({
      type: Thread,
      description: 'The thread in its present state, which includes whether it is archived.',
      resolve: ({ thread }) => thread,
    }),
  }),
});

const ThreadHidden = builder.objectRef<ChangeOf<'hidden'>>('ThreadHidden').implement({
  description:
    'A thread is no longer visible to you, because its owner made it private or it was deleted. Remove it from your list if it is there.',
  interfaces: [Positioned],
  fields: (t) => ({
    cursor: t.exposeString('cursor', { description: cursorDescription }),
    threadId: t.exposeID('threadId', { description: 'Id of the thread that is no longer visible.' }),
  }),
});

const ThreadsCaughtUp = builder.objectRef<ChangeOf<'caughtUp'>>('ThreadsCaughtUp').implement({
  description:
    'All earlier changes have been sent, and those that follow are live. Sent once: immediately without `after`, otherwise after the changes missed since.',
  interfaces: [Positioned],
  fields: (t) => ({ cursor: t.exposeString('cursor', { description: cursorDescription }) }),
});

const typeNames = {
  upserted: 'ThreadUpserted',
  hidden: 'ThreadHidden',
  caughtUp: 'ThreadsCaughtUp',
} as const satisfies Record<Change['type'], string>;

const ThreadsChangeType = builder.unionType('ThreadsChange', {
  description: 'One event of `threadsChanged`.',
  types: [ThreadUpserted, ThreadHidden, ThreadsCaughtUp],
  resolveType: (change: Change) => typeNames[change.type],
});

builder.subscriptionField('threadsChanged', (t) =>
  t.field({
    type: ThreadsChangeType,
    description:
      'Changes of the threads that you may see, archived ones included. Subscribe without `after`, wait for `ThreadsCaughtUp`, then query your list. To resume, subscribe with the cursor of the last event received: no change is lost, however long ago that was. If the subscription ends, as it does after 15 minutes at the latest, resume it. The error `INVALID_CURSOR` means that the database was restored: start over without `after`.',
    authScopes: { scope: 'threads:read' },
    args: { after: t.arg.string({ description: 'Cursor of the last event received.' }) },
    subscribe: async (_root, args, context, info) => {
      const { database, viewer, threadChanges, openAccess, signal } = context;
      const after = args.after == null ? null : decodeChangeCursor(args.after);
      if (after && after.history !== (await readHistory(database))) throw new InvalidCursorError();
      const path = [{ type: 'ThreadUpserted', name: 'thread' }];
      const { select } = queryFromInfo({ context, info, typeName: 'Thread', path, select: threadColumns });
      return followThreads({
        signals: threadChanges,
        principal: viewer,
        topic: String(viewer.organizationId),
        after,
        read: (position) => {
          const page = { viewer, after: position, limit: pageSize };
          return runInTurn(context, () => readChanges(database, page));
        },
        load: async (ids) => {
          const where = { id: { in: ids }, AND: [visibleTo(viewer)] };
          return (await runInTurn(context, () => database.thread.findMany({ select, where }))) ?? [];
        },
        endings: [onAbort(signal), openAccess.endOf({ viewer })],
      });
    },
    resolve: (change) => change,
  }),
);

builder.subscriptionField('threadChanged', (t) =>
  t.field({
    type: Thread,
    description:
      'The thread in its present state, and again after each change; changes in quick succession are combined. The subscription ends when you may no longer see the thread. When it ends, subscribe again: the error `NOT_FOUND` then tells that the thread is gone.',
    authScopes: { scope: 'threads:read' },
    args: { id: t.arg.id({ required: true, description: 'Id of the thread.' }) },
    subscribe: async (_root, { id }, context, info) => {
      const { database, viewer, threadChanges, openAccess, signal } = context;
      if ((await readThreadVersion(database, viewer, id)) === null) throw new NotFoundError('thread');
      const { select } = queryFromInfo({
        context,
        info,
        typeName: 'Thread',
        select: { ...threadColumns, changedXid: true },
      });
      const readVersion = () => runInTurn(context, () => readThreadVersion(database, viewer, id));
      const load = async () => {
        const where = { id, AND: [visibleTo(viewer)] };
        const thread = await runInTurn(context, () => database.thread.findFirst({ select, where }));
        return thread && { version: String(thread.changedXid), thread };
      };
      const which = { signals: threadChanges, principal: viewer, topic: id };
      const endings = [onAbort(signal), openAccess.endOf({ viewer, threadId: id })];
      return followThread({ ...which, readVersion, load, endings });
    },
    resolve: (thread) => thread,
  }),
);
