export const possibleTypes = {
  "AnnounceWritingResult": [
    "AnnouncedWriting",
    "NotFoundError"
  ],
  "AnswerChoiceResult": [
    "BudgetExceededError",
    "ChoiceNotOpenError",
    "IdempotencyKeyInUseError",
    "IdempotencyKeyReusedError",
    "InvalidInputError",
    "NotFoundError",
    "PostedMessage",
    "ThreadNotReadyError"
  ],
  "ArchiveThreadResult": [
    "NotFoundError",
    "NotOwnerError",
    "Thread"
  ],
  "ArchiveThreadsResult": [
    "ChangedThreads",
    "InvalidInputError"
  ],
  "ChangeMemberRoleResult": [
    "InvalidInputError",
    "Member",
    "NotAdministratorError",
    "NotFoundError"
  ],
  "ContentBlock": [
    "DocumentBlock",
    "ImageBlock",
    "TextBlock",
    "UserGetChoiceBlock"
  ],
  "ContinueThreadResult": [
    "BudgetExceededError",
    "IdempotencyKeyInUseError",
    "IdempotencyKeyReusedError",
    "InvalidInputError",
    "NotFoundError",
    "PostedMessage",
    "ThreadNotReadyError"
  ],
  "CreateAccessTokenResult": [
    "CreatedAccessToken",
    "InvalidInputError"
  ],
  "CreateThreadResult": [
    "BudgetExceededError",
    "IdempotencyKeyInUseError",
    "IdempotencyKeyReusedError",
    "InvalidInputError",
    "PostedMessage"
  ],
  "DeleteMemberResult": [
    "DeletedMember",
    "InvalidInputError",
    "NotAdministratorError",
    "NotFoundError"
  ],
  "DeleteThreadResult": [
    "DeletedThread",
    "NotFoundError",
    "NotOwnerError"
  ],
  "EditMessageResult": [
    "BudgetExceededError",
    "IdempotencyKeyInUseError",
    "IdempotencyKeyReusedError",
    "InvalidInputError",
    "NotFoundError",
    "PostedMessage",
    "ThreadNotReadyError"
  ],
  "EndSessionResult": [
    "NotFoundError",
    "Session"
  ],
  "Error": [
    "AttachmentQuotaError",
    "BudgetExceededError",
    "ChoiceNotOpenError",
    "IdempotencyKeyInUseError",
    "IdempotencyKeyReusedError",
    "InvalidInputError",
    "NotAdministratorError",
    "NotAnAnswerError",
    "NotFoundError",
    "NotOwnerError",
    "ThreadNotInterruptedError",
    "ThreadNotReadyError"
  ],
  "ImportConversationsResult": [
    "ConversationImport",
    "InvalidInputError",
    "NotFoundError"
  ],
  "InviteMemberResult": [
    "InvalidInputError",
    "InvitedMember",
    "NotAdministratorError"
  ],
  "MarkThreadReadResult": [
    "NotFoundError",
    "Thread"
  ],
  "Node": [
    "AccessToken",
    "AuditEvent",
    "Message",
    "Thread"
  ],
  "PinThreadResult": [
    "InvalidInputError",
    "NotFoundError",
    "Thread"
  ],
  "Positioned": [
    "ResponseDone",
    "ResponseError",
    "ResponseRestarted",
    "ResponseRetrying",
    "ResponseStatus",
    "ResponseThinking",
    "ResponseToken",
    "ThreadHidden",
    "ThreadUpserted",
    "ThreadsCaughtUp"
  ],
  "RegenerateResponseResult": [
    "BudgetExceededError",
    "IdempotencyKeyInUseError",
    "IdempotencyKeyReusedError",
    "InvalidInputError",
    "NotFoundError",
    "PostedMessage",
    "ThreadNotReadyError"
  ],
  "RemoveBudgetResult": [
    "Budget",
    "NotAdministratorError",
    "NotFoundError"
  ],
  "RemoveMemberResult": [
    "InvalidInputError",
    "Member",
    "NotAdministratorError",
    "NotFoundError"
  ],
  "RenameThreadResult": [
    "InvalidInputError",
    "NotFoundError",
    "NotOwnerError",
    "Thread"
  ],
  "RenewSignInLinkResult": [
    "InvitedMember",
    "NotAdministratorError",
    "NotFoundError"
  ],
  "Response": [
    "ResponseComplete",
    "ResponseFailed",
    "ResponseInterrupted",
    "ResponseProcessing"
  ],
  "ResponseEvent": [
    "ResponseDone",
    "ResponseError",
    "ResponseRestarted",
    "ResponseRetrying",
    "ResponseStatus",
    "ResponseThinking",
    "ResponseToken"
  ],
  "ResumeThreadResult": [
    "NotFoundError",
    "Thread",
    "ThreadNotInterruptedError"
  ],
  "RevokeAccessTokenResult": [
    "AccessToken",
    "NotFoundError"
  ],
  "SelectVariantResult": [
    "InvalidInputError",
    "NotFoundError",
    "Thread",
    "ThreadNotReadyError"
  ],
  "SendMessageResult": [
    "BudgetExceededError",
    "IdempotencyKeyInUseError",
    "IdempotencyKeyReusedError",
    "InvalidInputError",
    "NotFoundError",
    "PostedMessage",
    "ThreadNotReadyError"
  ],
  "SetBudgetResult": [
    "Budget",
    "InvalidInputError",
    "NotAdministratorError",
    "NotFoundError"
  ],
  "SetNewThreadPrivacyResult": [
    "NewThreadPrivacy",
    "NotFoundError"
  ],
  "SetThreadInstructionsResult": [
    "InvalidInputError",
    "NotFoundError",
    "NotOwnerError",
    "Thread"
  ],
  "SetThreadPrivacyResult": [
    "NotFoundError",
    "NotOwnerError",
    "Thread"
  ],
  "SetThreadTagsResult": [
    "InvalidInputError",
    "NotFoundError",
    "NotOwnerError",
    "Thread"
  ],
  "StopResponseResult": [
    "NotFoundError",
    "StoppedResponse"
  ],
  "SubmitFeedbackResult": [
    "Feedback",
    "InvalidInputError",
    "NotAnAnswerError",
    "NotFoundError"
  ],
  "ThreadsChange": [
    "ThreadHidden",
    "ThreadUpserted",
    "ThreadsCaughtUp"
  ],
  "UnarchiveThreadResult": [
    "NotFoundError",
    "NotOwnerError",
    "Thread"
  ],
  "UnarchiveThreadsResult": [
    "ChangedThreads",
    "InvalidInputError"
  ],
  "UnpinThreadResult": [
    "NotFoundError",
    "Thread"
  ],
  "UploadAttachmentResult": [
    "AttachmentQuotaError",
    "AttachmentUpload",
    "InvalidInputError"
  ],
  "WithdrawFeedbackResult": [
    "NotFoundError",
    "WithdrawnFeedback"
  ]
};
