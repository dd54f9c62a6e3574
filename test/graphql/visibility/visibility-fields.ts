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
  Identity: all(
    forSelf,
    'sub name email userNumber organizationNumber organizationSlug organizationName role newThreadsArePrivate',
  ),
  AccessToken: all(forSelf, 'id name lastFour scopes createdAt expiresAt lastUsedAt revokedAt'),
  CreatedAccessToken: all(forSelf, 'secret accessToken'),
  NewThreadPrivacy: all(forSelf, 'isPrivate'),
  Member: all(forSelf, 'id name email role createdAt'),
  // No token is told of one; `test/auth/sessions/own-sessions.test.ts` says what a browser gets.
  Session: all('', 'id userAgent createdAt lastUsedAt expiresAt isCurrent'),
  // No token gets one: `test/graphql/identity/audit.test.ts` says what a browser gets.
  AuditEvent: all('', 'id at act actorKind actorId subjectId targetId'),
  // Nor one: the tests in `test/modules/usage` say the same of them.
  Budget: all('', 'id scope userId member tokenId period unit maximum spent renewsAt'),
  UsageSum: all('', 'day userId member model responses inputTokens outputTokens cost isCostComplete'),
  // Nor one: `test/modules/export/data-export.test.ts` says the same of it.
  DataExportPage: all('', 'records cursor hasNextPage'),
  DataExportRecord: all('', 'type line'),
  // Nor one: `test/modules/feedback/given-feedback.test.ts` says the same of it.
  GivenFeedback: all('', 'messageId threadId threadTitle userId userName positive text ratedAt appUrl'),
  FeedbackPage: all('', 'ratings cursor hasNextPage'),
  AuditEventConnection: all('', 'edges pageInfo'),
  AuditEventEdge: all('', 'cursor node'),
  // `test/graphql/identity/members.test.ts` says who gets one.
  InvitedMember: all('', 'member link expiresAt'),

  Thread: {
    ...all(
      inAnyThread,
      'id state isPrivate archived branchVersion isUnread isPinned owner createdAt updatedAt activeAt appUrl messages',
    ),
    // Of a new thread only one that goes on from another has a name here, and only that one leads to an earlier one.
    name: `${inThread} | ${ofMembers}`,
    model: `${inThread} | ${ofMembers}`,
    instructions: `${inThread} | ${ofMembers}`,
    // Empty in a new thread of one's own.
    tags: inAnyThread,
    title: inAnyThread,
    interruptReason: inThread,
    // Both lead to private threads of the owner; a new thread leads to the one that it goes on from.
    continuedFrom: `${forOwner} | ${ofMembers}`,
    continuedIn: forOwner,
    history: `${forOwner} | ${forSelf}`,
  },
  ThreadOwner: all(inAnyThread, 'id name'),
  Model: all(forSelf, 'id label isDefault'),
  ThreadHistoryEvent: { ...all(`${forOwner} | ${forSelf}`, 'at what messageId attempt node'), cause: forOwner },
  // A stranger's is empty.
  ThreadConnection: { ...all(forSelf, 'edges pageInfo'), endId: ofMembers },
  ThreadEdge: all(ofMembers, 'cursor node match'),
  // The search is for the name, in which there is no message.
  ThreadMatch: { ...all(ofMembers, 'snippet parts'), message: '' },
  ThreadMatchPart: all(ofMembers, 'text isHit'),

  Message: {
    ...all(
      inAnyThread,
      'id threadId role author contents active createdAt appUrl attachments response hasReasoning isTruncated',
    ),
    // Only an answer has any.
    reasoning: inThread,
    // A new message is no answer.
    replyToId: inThread,
    generation: inThread,
    // Of the messages in the stage none was stopped after its first word.
    stopReason: '',
    variants: inThread,
    // Only the owner has given any.
    myFeedback: forOwner,
  },
  Generation: {
    ...all(inThread, 'model inputTokens outputTokens seconds firstTokenSeconds'),
    // No model has a price in the stage.
    cost: '',
  },
  MessageVariants: all(inThread, 'position count previousId nextId'),
  MessageAuthor: all(inAnyThread, 'id name'),
  MessageConnection: all(inAnyThread, 'edges pageInfo'),
  MessageEdge: all(inAnyThread, 'cursor node'),
  PageInfo: all(inAnyThread, 'hasNextPage hasPreviousPage startCursor endCursor'),
  TextBlock: all(inAnyThread, 'text'),
  ImageBlock: all(inThread, 'attachmentId'),
  DocumentBlock: all(inThread, 'attachmentId'),
  UserGetChoiceBlock: all(inThread, 'toolUseId question choices'),
  // One's own before it is sent; then the thread's.
  Attachment: all(inAnyThread, 'id name mediaType size isUploaded url'),
  ConversationImport: all('private: owner', 'imported existing refused leftOut'),
  // `test/modules/import/import-conversations.test.ts` has conversations of which something is left out.
  ImportRefusalCount: all('', 'reason count'),
  ImportOmissionCount: all('', 'kind count'),
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
  // None of these responses is repeated: `test/graphql/streams/subscription.test.ts` says what a viewer of one gets.
  ResponseRetrying: all('', 'cursor call maxCalls code message'),
  ResponseError: all(inThread, 'cursor code message'),
  ResponseDone: all(inThread, 'cursor'),

  ThreadUpserted: all(ofMembers, 'cursor thread'),
  // The id of a thread that the colleague may have in a list is all that there is to see of it.
  ThreadHidden: all('private: colleague', 'cursor threadId'),
  ThreadsCaughtUp: all(forSelf, 'cursor'),

  ThreadPresence: all(inThread, 'people writing count'),
  // Somebody else reads every thread of the stage, but only public ones can have others.
  PresentPerson: all('public: owner, colleague', 'id name'),
  AnnouncedWriting: all(inThread, 'threadId expiresInSeconds'),

  PostedMessage: all(inAnyThread, 'threadId messageId thread userMessage replayed'),
  WithdrawnFeedback: all(inThread, 'messageId'),
  DeletedThread: all(forOwner, 'id'),
  // Everybody gets one, empty where nothing was theirs: the probes say whose ids are in it.
  ChangedThreads: all(forSelf, 'ids'),
  // No token gets one: `test/graphql/threads/delete-thread.test.ts` says what a browser gets.
  DeletedMember: all('', 'id threads'),
  StoppedResponse: all(inThread, 'messageId thread wasStopped'),
};
