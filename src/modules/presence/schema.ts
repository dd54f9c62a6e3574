/** Who reads and writes in a thread now, in the GraphQL schema. */

import { builder } from '../../builder.js';
import { NotFoundError } from '../../errors.js';
import { onAbort } from '../../platform/async/cancellable-stream.js';
import { runInTurn } from '../../platform/fairness/run-in-turn.js';
import { readThreadVersion } from '../feeds/follow-thread.js';
import { followPresence } from './follow-presence.js';
import { mostNamed, type PeopleInThread, type PresentPerson, readPresent } from './read-present.js';
import { mostPeople } from './roster.js';
import { mostThreads } from './writing-quota.js';

const PresentPersonType = builder.objectRef<PresentPerson>('PresentPerson').implement({
  description: 'Somebody who is reading a thread now.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'Id of the user, the same as their `sub`.' }),
    name: t.exposeString('name', { nullable: true, description: 'Display name.' }),
  }),
});

const ThreadPresence = builder.objectRef<PeopleInThread>('ThreadPresence').implement({
  description: 'Who else is in a thread now. Nothing of it is stored.',
  fields: (t) => ({
    people: t.field({
      type: [PresentPersonType],
      description: `At most ${mostNamed} of the others who are reading the thread. Those who are writing come first, otherwise they are sorted by name. Each person is in the list once, however many pages they have open.`,
      resolve: ({ people }) => people,
    }),
    writing: t.field({
      type: [PresentPersonType],
      description: 'Those of `people` who are writing a message to the thread.',
      resolve: ({ people }) => people.filter(({ isWriting }) => isWriting),
    }),
    count: t.exposeInt('count', {
      description: `The number of others who are reading the thread, including those who are not in \`people\`; at most ${mostPeople}.`,
    }),
  }),
});

builder.subscriptionField('threadPresence', (t) =>
  t.field({
    type: ThreadPresence,
    description:
      'Who else is reading the thread now and who of them is writing: the whole list, and again after each change; changes in quick succession are combined. While the subscription is open, you count as reading yourself, so open it only while somebody looks at the thread. You are not in your own list. The subscription ends when you may no longer see the thread.',
    authScopes: { scope: 'threads:read' },
    args: { threadId: t.arg.id({ required: true, description: 'Id of the thread.' }) },
    subscribe: async (_root, { threadId }, context) => {
      const { database, viewer, presence, openAccess, signal } = context;
      if ((await readThreadVersion(database, viewer, threadId)) === null) throw new NotFoundError('thread');
      return followPresence({
        ...{ presence, principal: viewer, threadId },
        read: (users) => runInTurn(context, () => readPresent(database, viewer, { threadId, users })),
        endings: [onAbort(signal), openAccess.endOf({ viewer, threadId })],
      });
    },
    resolve: (list) => list,
  }),
);

const AnnounceWritingInput = builder.inputType('AnnounceWritingInput', {
  description: 'Where you are writing.',
  fields: (t) => ({ threadId: t.id({ required: true, description: 'Id of the thread.' }) }),
});

const AnnouncedWriting = builder
  .objectRef<{ threadId: string; expiresInSeconds: number }>('AnnouncedWriting')
  .implement({
    description: 'That you are writing in a thread.',
    fields: (t) => ({
      threadId: t.exposeID('threadId', { description: 'Id of the thread.' }),
      expiresInSeconds: t.exposeFloat('expiresInSeconds', {
        description: 'How long an announcement holds. Repeat it in half of that time while you write.',
      }),
    }),
  });

builder.mutationField('announceWriting', (t) =>
  t.field({
    type: AnnouncedWriting,
    description: `Tells everybody who is reading a thread that you are writing a message to it. This holds for a few seconds, or until you send a message to the thread. It has no effect within two seconds of the last announcement, or if you are writing in ${mostThreads} other threads.`,
    authScopes: { scope: 'threads:write' },
    errors: { types: [NotFoundError] },
    args: { input: t.arg({ type: AnnounceWritingInput, required: true, description: 'Where you are writing.' }) },
    resolve: async (_root, { input: { threadId } }, { database, viewer, presence }) => {
      if ((await readThreadVersion(database, viewer, threadId)) === null) throw new NotFoundError('thread');
      presence.announceWriting({ threadId, userId: viewer.userId });
      return { threadId, expiresInSeconds: presence.times.writingMs / 1000 };
    },
  }),
);
