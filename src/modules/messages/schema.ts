/** Messages in the graph: the object with its content blocks, and the connection over the messages of a thread. */
import { queryFromInfo } from '@pothos/plugin-prisma';
import { builder } from '../../builder.js';
import { NotFoundError } from '../../errors.js';
import { messageUrl } from '../links.js';
import { appliedLimit, toConnection } from '../paging.js';
import { Thread } from '../threads/schema.js';
import { visibleTo } from '../threads/visibility.js';
import type { AttachmentBlock, ChoiceBlock, ContentBlock, TextBlock } from './content.js';
import { encodeMessageCursor, resolveMessageCursor } from './message-cursor.js';

const MessageRole = builder.enumType('MessageRole', {
  description: 'Who speaks in a message.',
  values: {
    USER: { value: 'user', description: 'A person.' },
    ASSISTANT: { value: 'assistant', description: 'The assistant.' },
    SUMMARY: { value: 'summary', description: 'Stands for the older part of the conversation, which it replaced.' },
  } as const,
});

const TextBlockType = builder.objectRef<TextBlock>('TextBlock').implement({
  description: 'Text, in Markdown where the assistant wrote it.',
  fields: (t) => ({ text: t.exposeString('text', { description: 'The text.' }) }),
});

const ImageBlockType = builder.objectRef<AttachmentBlock>('ImageBlock').implement({
  description: 'An image.',
  fields: (t) => ({ attachmentId: t.exposeID('attachmentId', { description: 'Id of the attachment.' }) }),
});

const DocumentBlockType = builder.objectRef<AttachmentBlock>('DocumentBlock').implement({
  description: 'A document.',
  fields: (t) => ({ attachmentId: t.exposeID('attachmentId', { description: 'Id of the attachment.' }) }),
});

const ChoiceBlockType = builder.objectRef<ChoiceBlock>('UserGetChoiceBlock').implement({
  description: 'A question of the assistant. The next user message of the thread is the answer.',
  fields: (t) => ({
    toolUseId: t.exposeID('toolUseId', { description: "Id of the question within the model's tool protocol." }),
    question: t.exposeString('question', { description: 'What the assistant asks.' }),
    choices: t.exposeStringList('choices', { description: 'The answers that it offers.' }),
  }),
});

const blockTypeNames = {
  text: 'TextBlock',
  image: 'ImageBlock',
  document: 'DocumentBlock',
  user_get_choice: 'UserGetChoiceBlock',
} as const satisfies Record<ContentBlock['type'], string>;

const ContentBlockType = builder.unionType('ContentBlock', {
  description: 'One part of what a message says.',
  types: [TextBlockType, ImageBlockType, DocumentBlockType, ChoiceBlockType],
  resolveType: (block: ContentBlock) => blockTypeNames[block.type],
});

export const Message = builder.prismaObject('Message', {
  description: 'One turn of a conversation.',
  select: { id: true, threadId: true },
  fields: (t) => ({
    id: t.exposeID('id', { description: 'The same id as in REST.' }),
    threadId: t.exposeID('threadId', { description: 'Id of the thread.' }),
    role: t.expose('role', { type: MessageRole, description: 'Who speaks.' }),
    contents: t.field({
      type: [ContentBlockType],
      description: 'What is said, in order.',
      select: { contents: true },
      resolve: (message) => message.contents as unknown as ContentBlock[],
    }),
    active: t.exposeBoolean('active', { description: 'False for what a summary replaced.' }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When the message was added.' }),
    appUrl: t.string({
      description: 'Where the message opens in the web application.',
      resolve: (message, _args, context) => messageUrl(context.publicUrl, message),
    }),
  }),
});

const MessageConnection = builder.connectionObject(
  { type: Message, name: 'MessageConnection', description: 'A page of messages.' },
  { name: 'MessageEdge', description: 'A message in its thread.' },
);

builder.prismaObjectField(Thread, 'messages', (t) =>
  t.field({
    type: MessageConnection,
    description: 'The messages of the thread, oldest first.',
    args: {
      first: t.arg.int({ description: 'How many at most: 50 where it is left out, 200 at the most.' }),
      after: t.arg.string({ description: 'Go on after this cursor, or after the message with this id.' }),
      includeInactive: t.arg.boolean({ description: 'True: also the messages that a summary replaced.' }),
    },
    resolve: async (thread, args, context, info) => {
      const { database } = context;
      const limit = appliedLimit(args.first);
      const scope = { threadId: thread.id };
      const after = args.after == null ? 0 : await resolveMessageCursor(database, { ...scope, after: args.after });
      const needed = { select: { id: true, threadId: true, sequence: true } } as const;
      const { select } = queryFromInfo({ context, info, typeName: 'Message', path: ['edges', 'node'], ...needed });
      const items = await database.message.findMany({
        select,
        where: { ...scope, ...(args.includeInactive ? {} : { active: true }), sequence: { gt: after } },
        orderBy: { sequence: 'asc' },
        take: limit + 1,
      });
      const edges = items.slice(0, limit).map((node) => ({ node, cursor: encodeMessageCursor(node.sequence) }));
      return toConnection({ edges, hasNextPage: items.length > limit, hasPreviousPage: after > 0 });
    },
  }),
);

builder.queryField('message', (t) =>
  t.prismaField({
    type: Message,
    description: 'One message of one thread. The error `NOT_FOUND` also stands for one that you may not see.',
    nullable: true,
    authScopes: { scope: 'threads:read' },
    args: {
      threadId: t.arg.id({ required: true, description: 'Id of the thread.' }),
      id: t.arg.id({ required: true, description: 'Id of the message.' }),
    },
    resolve: async (query, _root, { threadId, id }, { database, viewer }) => {
      const message = await database.message.findFirst({
        ...query,
        where: { id, threadId, thread: visibleTo(viewer) },
      });
      if (!message) throw new NotFoundError('message');
      return message;
    },
  }),
);
