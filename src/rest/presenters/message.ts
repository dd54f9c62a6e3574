import type { DataOf } from '../../graphql/document-types/document-types.js';

export const messageFragment = /* GraphQL */ `
  fragment Message on Message {
    id
    threadId
    role
    createdAt
    appUrl
    contents {
      __typename
      ... on TextBlock { text }
      ... on ImageBlock { attachmentId }
      ... on DocumentBlock { attachmentId }
      ... on UserGetChoiceBlock { toolUseId question choices }
    }
  }
`;

type MessageData = DataOf<typeof messageFragment>;

type BlockData = MessageData['contents'][number];

/** The message object of the specification (Resources, Message). */
export function presentMessage(message: MessageData) {
  return {
    id: message.id,
    thread_id: message.threadId,
    role: message.role.toLowerCase(),
    contents: message.contents.map(presentBlock),
    created_at: message.createdAt,
    app_url: message.appUrl,
  };
}

function presentBlock(block: BlockData) {
  switch (block.__typename) {
    case 'TextBlock':
      return { type: 'text', text: block.text };
    case 'ImageBlock':
      return { type: 'image', attachment_id: block.attachmentId };
    case 'DocumentBlock':
      return { type: 'document', attachment_id: block.attachmentId };
    case 'UserGetChoiceBlock': {
      const { toolUseId, question, choices } = block;
      return { type: 'user_get_choice', tool_use_id: toolUseId, question, choices };
    }
    default:
      return unknownBlock(block);
  }
}

function unknownBlock(block: never): never {
  throw new Error(`A content block has no form in REST: ${JSON.stringify(block)}`);
}
