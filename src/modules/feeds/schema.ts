/** Threads in the graph as they change: one of them, and all that the viewer may see. */
import { queryFromInfo } from '@pothos/plugin-prisma';
import { builder } from '../../builder.js';
import { InvalidCursorError, NotFoundError } from '../../errors.js';
import { runInTurn } from '../../fairness/run-in-turn.js';
import { Positioned } from '../positioned.js';
import { Thread } from '../threads/schema.js';
import { visibleTo } from '../threads/visibility.js';
import { decodeChangeCursor } from './change-cursor.js';
import { followThread, readThreadVersion } from './follow-thread.js';
import { followThreads, type ThreadsChange } from './follow-threads.js';
import { readChanges, readHistory } from './read-changes.js';

const pageSize = 100;

type Change = ThreadsChange<{ id: string }>;
type ChangeOf<Type extends Change['type']> = Extract<Change, { type: Type }>;

const cursorDescription = 'Position after this event, for `after`. It does not expire.';

const ThreadUpserted = builder.objectRef<ChangeOf<'upserted'>>('ThreadUpserted').implement({
  description:
    'A thread was created, has changed, or became visible to you: put it in the place of what you have of it. It may come more often than it changed.',
  interfaces: [Positioned],
  fields: (t) => ({
    cursor: t.exposeString('cursor', { description: cursorDescription }),
    thread: t.field({
      type: Thread,
      description: 'The thread as it is now. Whether it is archived is one of its fields.',
      resolve: ({ thread }) => thread,
    }),
  }),
});

const ThreadHidden = builder.objectRef<ChangeOf<'hidden'>>('ThreadHidden').implement({
  description: 'The owner of a thread has made it private: remove it. You may never have had it.',
  interfaces: [Positioned],
  fields: (t) => ({
    cursor: t.exposeString('cursor', { description: cursorDescription }),
    threadId: t.exposeID('threadId', { description: 'Id of the thread that you see no more.' }),
  }),
});

const ThreadsCaughtUp = builder.objectRef<ChangeOf<'caughtUp'>>('ThreadsCaughtUp').implement({
  description:
    'You have all changes up to now; those that follow are live. It comes once: at first without `after`, else behind what you had missed.',
  interfaces: [Positioned],
  fields: (t) => ({ cursor: t.exposeString('cursor', { description: cursorDescription }) }),
});

const typeNames = {
  upserted: 'ThreadUpserted',
  hidden: 'ThreadHidden',
  caughtUp: 'ThreadsCaughtUp',
} as const satisfies Record<Change['type'], string>;

const ThreadsChangeType = builder.unionType('ThreadsChange', {
  description: 'One event of the feed of your threads.',
  types: [ThreadUpserted, ThreadHidden, ThreadsCaughtUp],
  resolveType: (change: Change) => typeNames[change.type],
});

builder.subscriptionField('threadsChanged', (t) =>
  t.field({
    type: ThreadsChangeType,
    description:
      'What changes among the threads that you may see, archived ones too. Begin without `after`, wait for `ThreadsCaughtUp`, then query your list; come back with the cursor of your last event, however late, and nothing is lost. It never ends by itself: where it ends, come back. `INVALID_CURSOR` says that the database was restored: begin anew.',
    authScopes: { scope: 'threads:read' },
    args: { after: t.arg.string({ description: 'The cursor of the last event that you have.' }) },
    subscribe: async (_root, args, context, info) => {
      const { database, viewer, threadChanges, openAccess, signal } = context;
      const after = args.after == null ? null : decodeChangeCursor(args.after);
      if (after && after.history !== (await readHistory(database))) throw new InvalidCursorError();
      const path = [{ type: 'ThreadUpserted', name: 'thread' }];
      const { select } = queryFromInfo({ context, info, typeName: 'Thread', path, select: { id: true } });
      const changes = followThreads({
        signals: threadChanges,
        party: viewer,
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
        signal,
      });
      return openAccess.guard(changes, { viewer });
    },
    resolve: (change) => change,
  }),
);

builder.subscriptionField('threadChanged', (t) =>
  t.field({
    type: Thread,
    description:
      'One thread as it is, and again after each change; changes that follow each other quickly come as one. It ends when you may not see the thread any more: begin anew where it ends, and the error `NOT_FOUND` says so.',
    authScopes: { scope: 'threads:read' },
    args: { id: t.arg.id({ required: true, description: 'Id of the thread.' }) },
    subscribe: async (_root, { id }, context, info) => {
      const { database, viewer, threadChanges, openAccess, signal } = context;
      if ((await readThreadVersion(database, viewer, id)) === null) throw new NotFoundError('thread');
      const { select } = queryFromInfo({ context, info, typeName: 'Thread', select: { id: true, changedXid: true } });
      const readVersion = () => runInTurn(context, () => readThreadVersion(database, viewer, id));
      const load = async () => {
        const where = { id, AND: [visibleTo(viewer)] };
        const thread = await runInTurn(context, () => database.thread.findFirst({ select, where }));
        return thread && { version: String(thread.changedXid), thread };
      };
      const which = { signals: threadChanges, party: viewer, topic: id };
      const versions = followThread({ ...which, readVersion, load, signal });
      return openAccess.guard(versions, { viewer, threadId: id });
    },
    resolve: (thread) => thread,
  }),
);
