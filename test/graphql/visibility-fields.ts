/**
 * Who gets a value of each field, whatever way leads to it: within what belongs to a public thread, to a private one, or to
 * no thread at all but to the caller alone. Whoever is not named gets null, or never meets the object. A field that is added
 * to the schema needs a place here.
 */
const inThread = 'public: owner, colleague | private: owner';
const forOwner = 'public: owner | private: owner';
const forSelf = 'own: owner, colleague, stranger';
/** Where the caller sees a thread at all. */
const ofMembers = 'own: owner, colleague';

type Fields = Record<string, string>;

const all = (sight: string, names: string): Fields => Object.fromEntries(names.split(' ').map((name) => [name, sight]));

export const fields: Record<string, Fields> = {
  Identity: all(forSelf, 'sub name email userNumber organizationNumber organizationSlug role'),
  AccessToken: all(forSelf, 'id name lastFour scopes createdAt expiresAt lastUsedAt revokedAt'),
  CreatedAccessToken: all(forSelf, 'secret accessToken'),

  Thread: {
    ...all(inThread, 'id name state interruptReason isPrivate archived owner createdAt updatedAt appUrl messages'),
    // Both lead to private threads of the owner.
    ...all(forOwner, 'continuedFrom continuedIn'),
    history: forOwner,
  },
  ThreadOwner: all(inThread, 'id name'),
  ThreadHistoryEvent: all(forOwner, 'at what messageId attempt node cause'),
  // A stranger's is empty.
  ThreadConnection: all(forSelf, 'edges pageInfo'),
  ThreadEdge: all(ofMembers, 'cursor node'),

  Message: {
    ...all(inThread, 'id threadId role contents replyToId active createdAt appUrl attachments response'),
    // Only the owner has given any.
    myFeedback: forOwner,
  },
  MessageConnection: all(inThread, 'edges pageInfo'),
  MessageEdge: all(inThread, 'cursor node'),
  PageInfo: {
    ...all(`${inThread} | ${forSelf}`, 'hasNextPage hasPreviousPage'),
    ...all(`${inThread} | ${ofMembers}`, 'startCursor endCursor'),
  },
  TextBlock: all(inThread, 'text'),
  ImageBlock: all(inThread, 'attachmentId'),
  DocumentBlock: all(inThread, 'attachmentId'),
  UserGetChoiceBlock: all(inThread, 'toolUseId question choices'),
  // One's own before it is sent; then the thread's.
  Attachment: all(`${inThread} | ${forSelf}`, 'id name mediaType size isUploaded url'),
  AttachmentUpload: all(forSelf, 'attachment uploadUrl'),
  // Each rating is seen by whoever gave it: the colleague's is the one that the colleague has just given.
  Feedback: all(inThread, 'messageId positive text'),

  ResponseProcessing: all(inThread, 'state'),
  ResponseComplete: all(inThread, 'messages cursor model inputTokens outputTokens'),
  ResponseFailed: all(inThread, 'code message'),
  ResponseInterrupted: all(inThread, 'message'),
  ResponseStatus: all(inThread, 'cursor status'),
  ResponseThinking: all(inThread, 'cursor text'),
  ResponseToken: all(inThread, 'cursor token'),
  ResponseRestarted: all(inThread, 'cursor'),
  ResponseError: all(inThread, 'cursor code message'),
  ResponseDone: all(inThread, 'cursor'),

  ThreadUpserted: all(ofMembers, 'cursor thread'),
  // The id of a thread that the colleague may have in a list is all that there is to see of it.
  ThreadHidden: all('private: colleague', 'cursor threadId'),
  ThreadsCaughtUp: all(forSelf, 'cursor'),

  // A thread that the message has just made is the caller's own.
  PostedMessage: all(`${inThread} | ${forSelf}`, 'threadId messageId replayed'),
  StoppedResponse: all(inThread, 'messageId thread wasStopped'),
};
