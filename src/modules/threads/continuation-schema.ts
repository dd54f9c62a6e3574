/**
 * Links between a thread and its continuation in the GraphQL schema, each only if the viewer can see the other thread.
 */
import { builder } from '../../builder.js';
import { Thread } from './schema.js';
import { threadColumns } from './thread-row.js';
import { isVisibleTo, visibleTo } from './visibility.js';

builder.prismaObjectFields(Thread, (t) => ({
  continuedFrom: t.field({
    type: Thread,
    nullable: true,
    description: 'The thread that this one continues; null if there is none or you may not see it.',
    authScopes: { scope: 'threads:read' },
    select: (_args, _context, nestedSelection) => ({
      continuedFrom: nestedSelection({ select: { ...threadColumns, organizationId: true, ownerId: true } }),
    }),
    resolve: ({ continuedFrom }, _args, { viewer }) =>
      continuedFrom && isVisibleTo(viewer, continuedFrom) ? continuedFrom : null,
  }),
  continuedIn: t.field({
    type: Thread,
    nullable: true,
    description: 'The newest thread that continues this one and that you may see.',
    authScopes: { scope: 'threads:read' },
    select: (_args, { viewer }, nestedSelection) => ({
      continuations: nestedSelection({
        where: visibleTo(viewer),
        orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
        take: 1,
      }),
    }),
    resolve: ({ continuations }) => continuations[0] ?? null,
  }),
}));
