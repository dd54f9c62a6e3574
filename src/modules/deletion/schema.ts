/** The mutations that delete threads and members in the GraphQL schema. */
import { builder } from '../../builder.js';
import { InvalidInputError, NotAdministratorError, NotFoundError, NotOwnerError } from '../../errors.js';
import { deleteMember } from './delete-member.js';
import { deleteThread } from './delete-thread.js';

const DeletedThread = builder.objectRef<{ id: string }>('DeletedThread').implement({
  description: 'A thread that no longer exists.',
  fields: (t) => ({ id: t.exposeID('id', { description: 'Id that the thread had.' }) }),
});

builder.mutationField('deleteThread', (t) =>
  t.field({
    type: DeletedThread,
    description:
      'Deletes a thread for good, with its messages, responses, feedback, attachments and history. A response that is under way is stopped, and open streams of the thread end. Only the owner may do it, or an administrator who can see the thread and is signed in to the web application.',
    authScopes: { scope: 'threads:write' },
    errors: { types: [NotFoundError, NotOwnerError] },
    args: { id: t.arg.id({ required: true, description: 'Id of the thread.' }) },
    resolve: async (_root, { id }, { database, viewer, tokenLog }) => {
      await deleteThread(database, viewer, id);
      tokenLog.endAccess(id);
      return { id };
    },
  }),
);

const DeletedMember = builder.objectRef<{ id: string; threads: number }>('DeletedMember').implement({
  description: 'A member of whom nothing remains.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'Id that the member had.' }),
    threads: t.exposeInt('threads', { description: 'How many threads were deleted with them.' }),
  }),
});

builder.mutationField('deleteMember', (t) =>
  t.field({
    type: DeletedMember,
    description:
      'Deletes a member for good, with their threads, attachments, ratings, tokens and sessions, also one who was removed before. If this fails halfway, repeat it: it continues. Requires an administrator.',
    authScopes: { scope: 'me:read' },
    errors: { types: [InvalidInputError, NotFoundError, NotAdministratorError] },
    args: { memberId: t.arg.id({ required: true, description: 'Id of the member.' }) },
    resolve: async (_root, { memberId: id }, context) => ({ id, threads: await deleteMember(context, id) }),
  }),
);
