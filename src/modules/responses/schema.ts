/** Responses in the GraphQL schema: a union, available by itself and at user messages. */
import { queryFromInfo } from '@pothos/plugin-prisma';
import { builder } from '../../builder.js';
import { NotFoundError } from '../../errors.js';
import { selectionOf } from '../fixed-selection.js';
import { Message } from '../messages/schema.js';
import { ThreadState } from '../threads/schema.js';
import { visibleTo } from '../threads/visibility.js';
import { formatPosition } from '../tokens/log/position.js';
import { isWholeResponse, readWholeResponse } from './read-whole-response.js';

/** The columns of all members of the union, so that one statement suffices for any. */
const outcome = { messageId: true, status: true, epoch: true, errorCode: true, errorMessage: true } as const;

const interrupted = 'The response was interrupted.';

const cursorDescription = 'Position of the end of the response, as in `responseEvents`.';

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
      description: 'The assistant messages, in order.',
      select: (_args, _context, nestedSelection) => ({
        message: { select: { answers: nestedSelection({ orderBy: { position: 'asc' } }) } },
      }),
      resolve: (response) => response.message.answers,
    }),
    cursor: t.string({ description: cursorDescription, resolve: endOf }),
    model: t.exposeString('model', {
      nullable: true,
      description: 'The model that generated the response, as named in `AI_MODEL`.',
    }),
    inputTokens: t.exposeInt('inputTokens', {
      nullable: true,
      description: 'Number of input tokens; null if the provider does not report it.',
    }),
    outputTokens: t.exposeInt('outputTokens', {
      nullable: true,
      description: 'Number of output tokens; null if the provider does not report it.',
    }),
  }),
});

const ResponseFailed = builder.prismaObject('Response', {
  variant: 'ResponseFailed',
  description: 'The response failed. Text generated before the failure is kept as a message.',
  select: outcome,
  fields: (t) => ({
    code: t.string({
      description: 'Stable code of the cause, for programs.',
      resolve: (response) => response.errorCode ?? 'response_failed',
    }),
    message: t.string({
      description: 'What happened, for people.',
      resolve: (response) => response.errorMessage ?? 'The response failed.',
    }),
    cursor: t.string({ description: cursorDescription, resolve: endOf }),
  }),
});

const ResponseInterrupted = builder.prismaObject('Response', {
  variant: 'ResponseInterrupted',
  description: 'The response was stopped before it was complete.',
  select: outcome,
  fields: (t) => ({
    message: t.string({
      description: 'Why it was stopped, for people.',
      resolve: (response) => response.errorMessage ?? interrupted,
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
  description: "The assistant's response to a user message.",
  types: [ResponseProcessing, ResponseComplete, ResponseFailed, ResponseInterrupted],
  resolveType: (response) => variantOf[response.status],
});

builder.prismaObjectField(Message, 'response', (t) =>
  t.field({
    type: ResponseType,
    nullable: true,
    description: 'The response to a user message; null for every other message.',
    select: (_args, _context, nestedSelection) => ({
      response: nestedSelection({ select: outcome }, [], 'ResponseComplete'),
    }),
    resolve: (message) => message.response,
  }),
);

builder.prismaObjectField(Message, 'stopReason', (t) =>
  t.string({
    nullable: true,
    description:
      'Why the response that this message is part of was stopped before it was complete, for people; null for every other message. It stays when the conversation goes on.',
    select: { replyTo: { select: { response: { select: { status: true, errorMessage: true } } } } },
    resolve: ({ replyTo }) => {
      const response = replyTo?.response;
      return response?.status === 'interrupted' ? (response.errorMessage ?? interrupted) : null;
    },
  }),
);

builder.prismaObjectField(Message, 'isTruncated', (t) =>
  t.boolean({
    description:
      'Whether the response that this message is part of is cut, because the model reached the maximum length of its answers.',
    select: { replyTo: { select: { response: { select: { isTruncated: true } } } } },
    resolve: ({ replyTo }) => replyTo?.response?.isTruncated ?? false,
  }),
);

builder.queryField('response', (t) =>
  t.field({
    type: ResponseType,
    description:
      'The response to a user message. Fails with `NOT_FOUND` if the message does not exist, you may not see it, or it is part of a branch that is not selected.',
    nullable: true,
    authScopes: { scope: 'threads:read' },
    args: {
      threadId: t.arg.id({ required: true, description: 'Id of the thread.' }),
      messageId: t.arg.id({ required: true, description: 'Id of the user message.' }),
    },
    resolve: async (_root, { threadId, messageId }, context, info) => {
      const { database, viewer } = context;
      const { select, isWhole } = selectionOf(info, {
        read: () => queryFromInfo({ context, info, typeName: 'ResponseComplete', select: outcome }).select,
        isWhole: isWholeResponse,
      });
      if (isWhole) {
        const whole = await readWholeResponse(context, { threadId, messageId });
        if (!whole) throw new NotFoundError('response');
        return whole;
      }
      const where = { messageId, threadId, message: { hiddenWithId: null }, thread: visibleTo(viewer) };
      const response = await database.response.findFirst({ select, where });
      if (!response) throw new NotFoundError('response');
      return response;
    },
  }),
);
