/** The history of a thread in the GraphQL schema, for its owner. */
import { builder } from '../../builder.js';
import { type HistoryEvent, keptEvents } from './history.js';
import { Thread } from './schema.js';

const HistoryEventType = builder.objectRef<HistoryEvent>('ThreadHistoryEvent').implement({
  description: 'One change of the state of a thread.',
  fields: (t) => ({
    at: t.expose('at', { type: 'DateTime', description: 'When the change happened.' }),
    what: t.exposeString('what', {
      description:
        'The kind of change: `queued`, `started`, `taken_over`, `restarted`, `succeeded`, `failed`, `interrupted` or `resumed`.',
    }),
    messageId: t.exposeID('messageId', {
      nullable: true,
      description: 'Id of the user message whose response changed.',
    }),
    attempt: t.exposeInt('attempt', { nullable: true, description: 'Number of the attempt at the response.' }),
    node: t.exposeString('node', { description: 'Name of the process that made the change.' }),
    cause: t.exposeString('cause', { nullable: true, description: 'Why the response failed or was interrupted.' }),
  }),
});

builder.prismaObjectField(Thread, 'history', (t) =>
  t.field({
    type: [HistoryEventType],
    nullable: true,
    description: `The last ${keptEvents} changes of the state of the thread, oldest first; null unless you own the thread.`,
    authScopes: { scope: 'threads:read' },
    select: (_args, { viewer }) => ({
      ownerId: true,
      events: { where: { thread: { ownerId: viewer.userId } }, orderBy: { id: 'asc' }, take: keptEvents },
    }),
    extensions: { maximumItems: keptEvents },
    resolve: ({ ownerId, events }, _args, { viewer }) => (ownerId === viewer.userId ? events : null),
  }),
);
