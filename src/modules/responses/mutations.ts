/** The mutations that stop a response and resume an interrupted thread. */
import { builder, ErrorInterface } from '../../builder.js';
import { NotFoundError, ThreadNotInterruptedError } from '../../errors.js';
import { loadThread } from '../threads/mutations.js';
import { Thread, ThreadState } from '../threads/schema.js';
import { visibleTo } from '../threads/visibility.js';
import { resumeThread } from './protocol/resume-thread.js';
import { stopResponse } from './stop-response.js';

interface Stopped {
  messageId: string;
  wasStopped: boolean;
}

const StoppedResponseType = builder.objectRef<Stopped>('StoppedResponse').implement({
  description: 'The response has ended.',
  fields: (t) => ({
    messageId: t.exposeID('messageId', { description: 'Id of the user message.' }),
    wasStopped: t.exposeBoolean('wasStopped', {
      description:
        'Whether the response was stopped, by this request or an earlier one; its text so far is kept. False if it had ended before.',
    }),
    thread: t.prismaField({
      type: Thread,
      description:
        'The thread in its present state. Fails with `NOT_FOUND` if it has been deleted or made private since; the response has ended nevertheless.',
      resolve: async (query, { messageId }, _args, { database, viewer }) => {
        const where = { responses: { some: { messageId } }, AND: [visibleTo(viewer)] };
        const thread = await database.thread.findFirst({ ...query, where });
        if (!thread) throw new NotFoundError('thread');
        return thread;
      },
    }),
  }),
});

builder.mutationField('stopResponse', (t) =>
  t.field({
    type: StoppedResponseType,
    description:
      'Stops a response: cancels the call to the model, keeps the text so far, and sets the thread to `INTERRUPTED`.',
    authScopes: { scope: 'threads:write' },
    errors: { types: [NotFoundError] },
    args: {
      messageId: t.arg.id({ required: true, description: 'Id of the user message whose response is to be stopped.' }),
    },
    resolve: async (_root, { messageId }, { database, viewer, signal }) => {
      const reason = `Stopped by ${viewer.name ?? 'a user without a name'}.`;
      return { messageId, wasStopped: await stopResponse(database, { viewer, messageId, reason, signal }) };
    },
  }),
);

builder.objectType(ThreadNotInterruptedError, {
  name: 'ThreadNotInterruptedError',
  description: 'Only an interrupted thread can be resumed.',
  interfaces: [ErrorInterface],
  fields: (t) => ({ state: t.expose('state', { type: ThreadState, description: 'The present state of the thread.' }) }),
});

builder.mutationField('resumeThread', (t) =>
  t.field({
    type: Thread,
    description:
      'Resumes an interrupted thread, so that it accepts messages again. A thread that is `READY` stays as it is.',
    authScopes: { scope: 'threads:write' },
    errors: { types: [NotFoundError, ThreadNotInterruptedError] },
    args: { id: t.arg.id({ required: true, description: 'Id of the thread.' }) },
    resolve: async (_root, { id }, context, info) => {
      await resumeThread(context.database, context.viewer, id);
      return loadThread(id, context, info);
    },
  }),
);
