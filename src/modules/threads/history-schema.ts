/** The history of a thread in the GraphQL schema, for its owner. */
import { builder } from '../../builder.js';
import { type HistoryEvent, keptEvents } from './history.js';
import { Thread } from './schema.js';

const kinds = {
  QUEUED: { value: 'queued', description: 'The message was sent, and waits for a worker.' },
  STARTED: { value: 'started', description: 'A worker began to generate the response.' },
  RECLAIMED: { value: 'taken_over', description: 'Another worker went on, because the one before it was lost.' },
  RESTARTED: { value: 'restarted', description: 'The same worker began again after a failed attempt.' },
  SUCCEEDED: { value: 'succeeded', description: 'The response was complete.' },
  FAILED: { value: 'failed', description: 'The response failed.' },
  INTERRUPTED: { value: 'interrupted', description: 'The response was stopped.' },
  IMPORTED: { value: 'imported', description: 'The thread was imported from another service, with its responses.' },
  RESUMED: { value: 'resumed', description: 'The interrupted thread was made ready again.' },
} as const;

const HistoryEventKind = builder.enumType('ThreadHistoryEventKind', {
  description: 'What happened to a thread or to the response to one of its messages.',
  values: kinds,
});

type Kind = (typeof kinds)[keyof typeof kinds]['value'];

function kindOf(what: string): Kind {
  const kind = Object.values(kinds).find(({ value }) => value === what);
  if (!kind) throw new Error(`The history has a change of an unknown kind: ${what}.`);
  return kind.value;
}

const HistoryEventType = builder.objectRef<HistoryEvent>('ThreadHistoryEvent').implement({
  description: 'One change of the state of a thread.',
  fields: (t) => ({
    at: t.expose('at', { type: 'DateTime', description: 'When the change happened.' }),
    what: t.field({ type: HistoryEventKind, description: 'The kind of change.', resolve: ({ what }) => kindOf(what) }),
    messageId: t.exposeID('messageId', {
      nullable: true,
      description: 'Id of the user message whose response changed.',
    }),
    attempt: t.exposeInt('attempt', {
      nullable: true,
      description:
        'Number of the attempt at the response, from 1; 0 before the first has begun. Null where no single response changed.',
    }),
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
