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
/** A thread that a mutation has just made is the caller's own, with what is in it. */
const inAnyThread = `${inThread} | ${forSelf}`;

type Fields = Record<string, string>;

const all = (sight: string, names: string): Fields => Object.fromEntries(names.split(' ').map((name) => [name, sight]));

export const fields: Record<string, Fields> = {
  Identity: all(forSelf, 'sub name email userNumber organizationNumber organizationSlug role'),
  AccessToken: all(forSelf, 'id name lastFour scopes createdAt expiresAt lastUsedAt revokedAt'),
  CreatedAccessToken: all(forSelf, 'secret accessToken'),
  Member: all(forSelf, 'id name email role createdAt'),
  // No token is told of one; `test/auth/sessions/own-sessions.test.ts` says what a browser gets.
  Session: all('', 'id userAgent createdAt lastUsedAt expiresAt isCurrent'),
  // `test/graphql/identity/members.test.ts` says who gets one.
  InvitedMember: all('', 'member link expiresAt'),

  Thread: {
    ...all(inAnyThread, 'id state isPrivate archived owner createdAt updatedAt appUrl messages'),
    // Of a new thread only one that goes on from another has a name here, and only that one leads to an earlier one.
    name: `${inThread} | ${ofMembers}`,
    interruptReason: inThread,
    // Both lead to private threads of the owner; a new thread leads to the one that it goes on from.
    continuedFrom: `${forOwner} | ${ofMembers}`,
    continuedIn: forOwner,
    history: `${forOwner} | ${forSelf}`,
  },
  ThreadOwner: all(inAnyThread, 'id name'),
  ThreadHistoryEvent: { ...all(`${forOwner} | ${forSelf}`, 'at what messageId attempt node'), cause: forOwner },
  // A stranger's is empty.
  ThreadConnection: all(forSelf, 'edges pageInfo'),
  ThreadEdge: all(ofMembers, 'cursor node match'),
  // The search is for the name, in which there is no message.
  ThreadMatch: { ...all(ofMembers, 'snippet parts'), message: '' },
  ThreadMatchPart: all(ofMembers, 'text isHit'),

  Message: {
    ...all(inAnyThread, 'id threadId role contents active createdAt appUrl attachments response'),
    // A new message is no answer.
    replyToId: inThread,
    // Only the owner has given any.
    myFeedback: forOwner,
  },
  MessageConnection: all(inAnyThread, 'edges pageInfo'),
  MessageEdge: all(inAnyThread, 'cursor node'),
  PageInfo: all(inAnyThread, 'hasNextPage hasPreviousPage startCursor endCursor'),
  TextBlock: all(inAnyThread, 'text'),
  ImageBlock: all(inThread, 'attachmentId'),
  DocumentBlock: all(inThread, 'attachmentId'),
  UserGetChoiceBlock: all(inThread, 'toolUseId question choices'),
  // One's own before it is sent; then the thread's.
  Attachment: all(inAnyThread, 'id name mediaType size isUploaded url'),
  AttachmentUpload: all(forSelf, 'attachment uploadUrl'),
  // Each rating is seen by whoever gave it: the colleague's is the one that the colleague has just given.
  Feedback: all(inThread, 'messageId positive text'),

  ResponseProcessing: all(inAnyThread, 'state'),
  ResponseComplete: all(inThread, 'messages cursor model inputTokens outputTokens'),
  ResponseFailed: all(inThread, 'code message cursor'),
  ResponseInterrupted: all(inThread, 'message cursor'),
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

  PostedMessage: all(inAnyThread, 'threadId messageId thread userMessage replayed'),
  StoppedResponse: all(inThread, 'messageId thread wasStopped'),
};
