/** The history of a thread in the graph, for its owner. */
import { builder } from '../../builder.js';
import { type HistoryEvent, keptEvents } from './history.js';
import { Thread } from './schema.js';

const HistoryEventType = builder.objectRef<HistoryEvent>('ThreadHistoryEvent').implement({
  description: 'One change in the life of a thread.',
  fields: (t) => ({
    at: t.expose('at', { type: 'DateTime', description: 'When it happened.' }),
    what: t.exposeString('what', {
      description:
        'What happened: `queued`, `started`, `taken_over`, `restarted`, `succeeded`, `failed`, `interrupted`, `resumed`.',
    }),
    messageId: t.exposeID('messageId', { nullable: true, description: 'The user message whose response it concerns.' }),
    attempt: t.exposeInt('attempt', { nullable: true, description: 'Which attempt at the response.' }),
    node: t.exposeString('node', { description: 'The process that made the change.' }),
    cause: t.exposeString('cause', { nullable: true, description: 'Why it failed or was interrupted.' }),
  }),
});

builder.prismaObjectField(Thread, 'history', (t) =>
  t.field({
    type: [HistoryEventType],
    nullable: true,
    description: 'What happened in the thread, oldest first, the newest 200 changes; null for all but its owner.',
    authScopes: { scope: 'threads:read' },
    select: (_args, { viewer }) => ({
      ownerId: true,
      events: { where: { thread: { ownerId: viewer.userId } }, orderBy: { id: 'asc' }, take: keptEvents },
    }),
    extensions: { maximumItems: keptEvents },
    resolve: ({ ownerId, events }, _args, { viewer }) => (ownerId === viewer.userId ? events : null),
  }),
);
