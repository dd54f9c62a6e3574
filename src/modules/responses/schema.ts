/** Responses in the graph: the union of what a response can be, by itself and at the user message that it answers. */
import { queryFromInfo } from '@pothos/plugin-prisma';
import { builder } from '../../builder.js';
import { NotFoundError } from '../../errors.js';
import { Message } from '../messages/schema.js';
import { ThreadState } from '../threads/schema.js';
import { visibleTo } from '../threads/visibility.js';
import { formatPosition } from '../tokens/log/position.js';

/** What every member of the union needs, so that one statement serves whichever it turns out to be. */
const outcome = { messageId: true, status: true, epoch: true, errorCode: true, errorMessage: true } as const;

const cursorDescription = 'The end of the response, as in the events of its stream.';

function endOf({ epoch }: { epoch: bigint }): string {
  return formatPosition({ epoch: Number(epoch), text: 'end', thinking: 0 });
}

const ResponseProcessing = builder.prismaObject('Response', {
  variant: 'ResponseProcessing',
  description: 'The response is queued or being generated.',
  select: outcome,
  fields: (t) => ({
    state: t.field({
      type: ThreadState,
      description: '`WAITING` while it is queued, `ACTIVE` while it is generated.',
      resolve: (response) => (response.status === 'queued' ? ('waiting' as const) : ('active' as const)),
    }),
  }),
});

const ResponseComplete = builder.prismaObject('Response', {
  variant: 'ResponseComplete',
  description: 'The response is complete, and the thread has returned to `READY`.',
  select: outcome,
  fields: (t) => ({
    messages: t.field({
      type: [Message],
      description: 'The messages of the assistant, in order.',
      select: (_args, _context, nestedSelection) => ({
        message: { select: { answers: nestedSelection({ orderBy: { position: 'asc' } }) } },
      }),
      resolve: (response) => response.message.answers,
    }),
    cursor: t.string({ description: cursorDescription, resolve: endOf }),
    model: t.exposeString('model', { nullable: true, description: 'The model that answered, as `AI_MODEL` names it.' }),
    inputTokens: t.exposeInt('inputTokens', {
      nullable: true,
      description: 'Tokens that the model read; null where its provider does not say.',
    }),
    outputTokens: t.exposeInt('outputTokens', {
      nullable: true,
      description: 'Tokens that the model wrote; null where its provider does not say.',
    }),
  }),
});

const ResponseFailed = builder.prismaObject('Response', {
  variant: 'ResponseFailed',
  description: 'The response failed. What was said before stays readable among the messages.',
  select: outcome,
  fields: (t) => ({
    code: t.string({
      description: 'Stable name of the cause.',
      resolve: (response) => response.errorCode ?? 'response_failed',
    }),
    message: t.string({
      description: 'For people: what happened.',
      resolve: (response) => response.errorMessage ?? 'The response failed.',
    }),
    cursor: t.string({ description: cursorDescription, resolve: endOf }),
  }),
});

const ResponseInterrupted = builder.prismaObject('Response', {
  variant: 'ResponseInterrupted',
  description: 'The response was stopped before its end.',
  select: outcome,
  fields: (t) => ({
    message: t.string({
      description: 'For people: why it was stopped.',
      resolve: (response) => response.errorMessage ?? 'The response was interrupted.',
    }),
    cursor: t.string({ description: cursorDescription, resolve: endOf }),
  }),
});

const variantOf = {
  queued: 'ResponseProcessing',
  running: 'ResponseProcessing',
  succeeded: 'ResponseComplete',
  failed: 'ResponseFailed',
  interrupted: 'ResponseInterrupted',
} as const;

const ResponseType = builder.unionType('Response', {
  description: 'The answer of the assistant to one user message.',
  types: [ResponseProcessing, ResponseComplete, ResponseFailed, ResponseInterrupted],
  resolveType: (response) => variantOf[response.status],
});

builder.prismaObjectField(Message, 'response', (t) =>
  t.field({
    type: ResponseType,
    nullable: true,
    description: 'The response to the message, where a user wrote it; null for every other message.',
    select: (_args, _context, nestedSelection) => ({
      response: nestedSelection({ select: outcome }, [], 'ResponseComplete'),
    }),
    resolve: (message) => message.response,
  }),
);

builder.queryField('response', (t) =>
  t.field({
    type: ResponseType,
    description:
      'The response to a user message. The error `NOT_FOUND` also stands for a message that you may not see.',
    nullable: true,
    authScopes: { scope: 'threads:read' },
    args: {
      threadId: t.arg.id({ required: true, description: 'Id of the thread.' }),
      messageId: t.arg.id({ required: true, description: 'Id of the user message.' }),
    },
    resolve: async (_root, { threadId, messageId }, context, info) => {
      const { database, viewer } = context;
      const { select } = queryFromInfo({ context, info, typeName: 'ResponseComplete', select: outcome });
      const where = { messageId, threadId, thread: visibleTo(viewer) };
      const response = await database.response.findFirst({ select, where });
      if (!response) throw new NotFoundError('response');
      return response;
    },
  }),
);
