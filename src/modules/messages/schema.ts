/** A message in the graph, with its content blocks. What belongs to other nouns, such as its response, is added by them. */
import { builder, type Context } from '../../builder.js';
import { NotFoundError } from '../../errors.js';
import { messageUrl } from '../links.js';
import { Node } from '../node-type.js';
import { visibleTo } from '../threads/visibility.js';
import type { AttachmentBlock, ChoiceBlock, ContentBlock, TextBlock } from './content.js';
import { contentsMark, loadPageContents } from './page-contents.js';

const MessageRole = builder.enumType('MessageRole', {
  description: 'Who speaks in a message.',
  values: {
    USER: { value: 'user', description: 'A person.' },
    ASSISTANT: { value: 'assistant', description: 'The assistant.' },
    SUMMARY: {
      value: 'summary',
      description:
        'Stands for the older part of the conversation, which it replaced, or for that of the thread that this one continues.',
    },
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
  interfaces: [Node],
  select: { id: true, threadId: true },
  fields: (t) => ({
    id: t.exposeID('id', { description: 'The same id as in REST.' }),
    threadId: t.exposeID('threadId', { description: 'Id of the thread.' }),
    role: t.expose('role', { type: MessageRole, description: 'Who speaks.' }),
    contents: t.field({
      type: [ContentBlockType],
      description: 'What is said, in order.',
      select: contentsMark,
      resolve: (message, _args, context) => contentsOf(message, context),
    }),
    replyToId: t.exposeID('replyToId', {
      nullable: true,
      description: 'For a message of the assistant, id of the user message that it answers.',
    }),
    active: t.exposeBoolean('active', { description: 'False for what a summary replaced.' }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When the message was added.' }),
    appUrl: t.string({
      description: 'Where the message opens in the web application.',
      resolve: (message, _args, context) => messageUrl(context.publicUrl, message),
    }),
  }),
});

/** Those of a page were loaded with it. */
async function contentsOf(
  message: { id: string; contents?: ContentBlock[] },
  context: Context,
): Promise<ContentBlock[]> {
  return message.contents ?? (await loadPageContents(context, [message.id])).get(message.id) ?? [];
}

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
