/**
 * Messages and their content blocks in the GraphQL schema. Other modules add their own fields, such as the response.
 */
import { builder, type Context } from '../../builder.js';
import { NotFoundError } from '../../errors.js';
import { personType } from '../identity/person-type.js';
import { messageUrl } from '../links.js';
import { Node } from '../node-type.js';
import { visibleTo } from '../threads/visibility.js';
import type { AttachmentBlock, ChoiceBlock, ContentBlock, TextBlock } from './content.js';
import { loadPageContents, placeholderSelection } from './page-contents.js';

const MessageRole = builder.enumType('MessageRole', {
  description: 'The kind of author of a message.',
  values: {
    USER: { value: 'user', description: 'A person.' },
    ASSISTANT: { value: 'assistant', description: 'The assistant.' },
    SUMMARY: {
      value: 'summary',
      description: 'A summary of older messages that it replaced, or of the earlier thread that this one continues.',
    },
  } as const,
});

const TextBlockType = builder.objectRef<TextBlock>('TextBlock').implement({
  description: 'Text. The assistant writes Markdown.',
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
  description: 'A question of the assistant to the user. The next user message of the thread is its answer.',
  fields: (t) => ({
    toolUseId: t.exposeID('toolUseId', { description: 'Id of the question, for `answerChoice`.' }),
    question: t.exposeString('question', { description: 'The question.' }),
    choices: t.exposeStringList('choices', { description: 'The answers that the assistant offers.' }),
  }),
});

const blockTypeNames = {
  text: 'TextBlock',
  image: 'ImageBlock',
  document: 'DocumentBlock',
  user_get_choice: 'UserGetChoiceBlock',
} as const satisfies Record<ContentBlock['type'], string>;

const ContentBlockType = builder.unionType('ContentBlock', {
  description: 'One part of the content of a message.',
  types: [TextBlockType, ImageBlockType, DocumentBlockType, ChoiceBlockType],
  resolveType: (block: ContentBlock) => blockTypeNames[block.type],
});

const MessageAuthor = personType(
  'MessageAuthor',
  'The person who sent a message, as visible to everyone who may see the message.',
);

export const Message = builder.prismaObject('Message', {
  description: 'A message of a conversation.',
  interfaces: [Node],
  select: { id: true, threadId: true },
  fields: (t) => ({
    id: t.id({ description: 'The same id as in REST.', resolve: ({ id }) => id }),
    threadId: t.id({ description: 'Id of the thread.', resolve: ({ threadId }) => threadId }),
    role: t.expose('role', { type: MessageRole, description: 'Who wrote the message.' }),
    author: t.relation('author', {
      type: MessageAuthor,
      nullable: true,
      description:
        'The person who sent the message. Null for messages of the assistant, for summaries, for messages that were sent before this was recorded, and for a person who was deleted.',
    }),
    contents: t.field({
      type: [ContentBlockType],
      description: 'The content of the message, in order.',
      select: placeholderSelection,
      resolve: (message, _args, context) => contentsOf(message, context),
    }),
    replyToId: t.exposeID('replyToId', {
      nullable: true,
      description: 'For an assistant message, the id of the user message that it answers.',
    }),
    active: t.exposeBoolean('active', {
      description:
        'Whether the message is part of the active conversation; false once a summary has replaced it, or another ' +
        'variant of it or of an earlier message is selected.',
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When the message was added.' }),
    appUrl: t.string({
      description: 'URL of the message in the web application.',
      resolve: (message, _args, context) => messageUrl(context.publicUrl, message),
    }),
  }),
});

/** The contents of a page were loaded with it. */
async function contentsOf(
  message: { id: string; contents?: ContentBlock[] },
  context: Context,
): Promise<ContentBlock[]> {
  return message.contents ?? (await loadPageContents(context, [message.id])).get(message.id) ?? [];
}

builder.queryField('message', (t) =>
  t.prismaField({
    type: Message,
    description:
      'A message of a thread. Fails with `NOT_FOUND` if it does not exist, you may not see it, or it is part of a branch that is not selected.',
    nullable: true,
    authScopes: { scope: 'threads:read' },
    args: {
      threadId: t.arg.id({ required: true, description: 'Id of the thread.' }),
      id: t.arg.id({ required: true, description: 'Id of the message.' }),
    },
    resolve: async (query, _root, { threadId, id }, { database, viewer }) => {
      const message = await database.message.findFirst({
        ...query,
        where: { id, threadId, hiddenWithId: null, thread: visibleTo(viewer) },
      });
      if (!message) throw new NotFoundError('message');
      return message;
    },
  }),
);
