/**
 * Every object of REST and what it is in GraphQL, field by field. A field that is added on either side has to be given its
 * counterpart here, or a place among those that only one side has, with the reason.
 */

/** Field by field, from REST to the path of the same thing in GraphQL; `__typename` where the type itself says it. */
export interface Counterpart {
  /** The type of GraphQL. */
  type: string;
  fields: Record<string, string>;
  /** Fields of the type that REST lacks, and why. */
  graphqlOnly?: Record<string, string>;
  /** Fields of REST that GraphQL lacks, and why. */
  restOnly?: Record<string, string>;
}

const beyond = 'REST is the specification, which has no such field';
const position = 'REST pages by the ids of items';
const asked = 'says what was asked for';
const posted = { thread: 'REST has an endpoint for it', userMessage: 'REST has an endpoint for it' };

/** Fields that REST lacks because the specification has none. */
const allBeyond = (names: string) => Object.fromEntries(names.split(' ').map((name) => [name, beyond]));

const page = (type: string, lastId = 'edges.last.node.id'): Counterpart => ({
  type,
  fields: { data: 'edges.node', first_id: 'edges.first.node.id', last_id: lastId, has_more: 'pageInfo.hasNextPage' },
  restOnly: { limit: asked },
});

/** What comes out. */
export const outputs: Record<string, Counterpart> = {
  Identity: {
    type: 'Identity',
    fields: {
      ...{ sub: 'sub', name: 'name', email: 'email', role: 'role', service_user_id: 'userNumber' },
      ...{ service_organization_id: 'organizationNumber', service_organization_slug: 'organizationSlug' },
    },
    graphqlOnly: { organizationName: beyond, newThreadsArePrivate: beyond },
  },
  ThreadOwner: { type: 'ThreadOwner', fields: { id: 'id', name: 'name' } },
  Thread: {
    type: 'Thread',
    fields: {
      ...{ id: 'id', name: 'name', state: 'state', is_private: 'isPrivate', archived: 'archived', owner: 'owner' },
      ...{ created_at: 'createdAt', updated_at: 'updatedAt', app_url: 'appUrl' },
    },
    graphqlOnly: {
      messages: 'REST has an endpoint for them',
      interruptReason: 'REST has it as `detail` of the poll',
      ...allBeyond('title branchVersion activeAt isUnread isPinned history continuedFrom continuedIn'),
      ...allBeyond('model instructions tags'),
    },
  },
  Message: {
    type: 'Message',
    fields: {
      ...{ id: 'id', thread_id: 'threadId', role: 'role', contents: 'contents', created_at: 'createdAt' },
      app_url: 'appUrl',
    },
    graphqlOnly: {
      response: 'REST has an endpoint for it',
      active: 'REST lists active messages alone',
      ...allBeyond('author stopReason variants generation replyToId isTruncated hasReasoning reasoning myFeedback'),
      attachments: 'REST has their ids in the blocks',
    },
  },
  'ContentBlock text': { type: 'TextBlock', fields: { type: '__typename', text: 'text' } },
  'ContentBlock image': { type: 'ImageBlock', fields: { type: '__typename', attachment_id: 'attachmentId' } },
  'ContentBlock document': { type: 'DocumentBlock', fields: { type: '__typename', attachment_id: 'attachmentId' } },
  'ContentBlock user_get_choice': {
    type: 'UserGetChoiceBlock',
    fields: { type: '__typename', tool_use_id: 'toolUseId', question: 'question', choices: 'choices' },
  },
  ThreadPage: page('ThreadConnection', 'endId'),
  MessagePage: page('MessageConnection'),
  CreatedThread: {
    type: 'PostedMessage',
    fields: { thread_id: 'threadId', message_id: 'messageId' },
    graphqlOnly: { ...posted, replayed: 'REST has the header Idempotency-Replayed' },
  },
  SentMessage: {
    type: 'PostedMessage',
    fields: { message_id: 'messageId' },
    graphqlOnly: { ...posted, replayed: 'REST has the header Idempotency-Replayed', threadId: asked },
  },
  ProcessingResponse: {
    type: 'ResponseProcessing',
    fields: { status: '__typename' },
    graphqlOnly: { state: 'REST has it as `state` of the thread' },
  },
  CompleteResponse: {
    type: 'ResponseComplete',
    fields: { status: '__typename', messages: 'messages' },
    graphqlOnly: { cursor: 'REST has it as `id` of the event `done`', ...allBeyond('model inputTokens outputTokens') },
  },
  'event token': { type: 'ResponseToken', fields: { event: '__typename', id: 'cursor', 'data.token': 'token' } },
  'event error': {
    type: 'ResponseError',
    fields: { event: '__typename', id: 'cursor', 'data.message': 'message' },
    graphqlOnly: { code: 'REST has it in no event; the specification names `message` alone' },
  },
  'event done': { type: 'ResponseDone', fields: { event: '__typename', id: 'cursor' } },
};

/** What goes in, in a body. */
export const inputs: Record<string, Counterpart> = {
  NewThread: {
    type: 'CreateThreadInput',
    fields: { text: 'text', name: 'name', is_private: 'isPrivate' },
    graphqlOnly: { idempotencyKey: 'REST has the header Idempotency-Key', attachmentIds: beyond, model: beyond },
  },
  NewMessage: {
    type: 'SendMessageInput',
    fields: { text: 'text' },
    graphqlOnly: {
      threadId: 'REST has it in the path',
      idempotencyKey: 'REST has the header Idempotency-Key',
      attachmentIds: beyond,
      model: beyond,
      onBusy: 'REST always rejects (specification, States, rule 1)',
    },
  },
  Feedback: {
    type: 'SubmitFeedbackInput',
    fields: { positive: 'positive', feedback_text: 'text' },
    graphqlOnly: { threadId: 'REST has it in the path', messageId: 'REST has it in the path' },
  },
};

/** Types of GraphQL whose fields the paths above lead through, and what REST lacks of them. */
export const within: Record<string, { used: string[]; graphqlOnly: Record<string, string> }> = {
  ThreadEdge: { used: ['node'], graphqlOnly: { cursor: position, match: beyond } },
  MessageEdge: { used: ['node'], graphqlOnly: { cursor: position } },
  PageInfo: {
    used: ['hasNextPage'],
    graphqlOnly: { hasPreviousPage: position, startCursor: position, endCursor: position },
  },
};

/** Events of a response that REST has no event of its own for. */
export const eventsWithoutOwn: Record<string, string> = {
  ResponseStatus: 'left out (specification, Events, rule 2)',
  ResponseThinking: 'left out (specification, Events, rule 2)',
  ResponseRetrying: 'left out (specification, Events, rule 2)',
  ResponseRestarted: 'an `error` that says to open the stream again, because REST has no word for it',
};

/** Parts of the OpenAPI document that are no objects with fields of their own. */
export const notObjects: Record<string, string> = {
  ContentBlock: 'one of the blocks',
  TextBlock: 'see ContentBlock text',
  ImageBlock: 'see ContentBlock image',
  DocumentBlock: 'see ContentBlock document',
  UserGetChoiceBlock: 'see ContentBlock user_get_choice',
  ResponseEventData: 'the data of one of the events',
  Problem: 'see problems.ts',
};
