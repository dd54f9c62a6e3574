/** The mutations with which owners archive several threads at once, and take it back. */
import { builder } from '../../builder.js';
import { maximumArchived } from '../../contract.js';
import { InvalidInputError } from '../../errors.js';
import { archiveThreads } from './archive-threads.js';

const ChangedThreads = builder.objectRef<{ ids: string[] }>('ChangedThreads').implement({
  description: 'The threads that a mutation changed.',
  fields: (t) => ({
    ids: t.exposeIDList('ids', { description: 'Ids of the threads that changed, in no particular order.' }),
  }),
});

const idsDescription = `Ids of at most ${maximumArchived} threads. Threads that you do not own or cannot see are left as they are.`;

builder.mutationField('archiveThreads', (t) =>
  t.field({
    type: ChangedThreads,
    description: 'Archives several of your threads at once. `unarchiveThreads` with the returned ids takes it back.',
    authScopes: { scope: 'threads:write' },
    errors: { types: [InvalidInputError] },
    args: { ids: t.arg.idList({ required: true, description: idsDescription }) },
    resolve: async (_root, { ids }, { database, viewer }) => ({
      ids: await archiveThreads(database, viewer, { ids, archived: true }),
    }),
  }),
);

builder.mutationField('unarchiveThreads', (t) =>
  t.field({
    type: ChangedThreads,
    description: 'Unarchives several of your threads at once, so that lists include them again.',
    authScopes: { scope: 'threads:write' },
    errors: { types: [InvalidInputError] },
    args: { ids: t.arg.idList({ required: true, description: idsDescription }) },
    resolve: async (_root, { ids }, { database, viewer }) => ({
      ids: await archiveThreads(database, viewer, { ids, archived: false }),
    }),
  }),
);
