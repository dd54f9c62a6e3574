export const possibleTypes = {
  "AnswerChoiceResult": [
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
    "IdempotencyKeyInUseError",
    "IdempotencyKeyReusedError",
    "InvalidInputError",
    "PostedMessage"
  ],
  "EndSessionResult": [
    "NotFoundError",
    "Session"
  ],
  "Error": [
    "AttachmentQuotaError",
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
  "InviteMemberResult": [
    "InvalidInputError",
    "InvitedMember",
    "NotAdministratorError"
  ],
  "Node": [
    "AccessToken",
    "Message",
    "Thread"
  ],
  "Positioned": [
    "ResponseDone",
    "ResponseError",
    "ResponseRestarted",
    "ResponseStatus",
    "ResponseThinking",
    "ResponseToken",
    "ThreadHidden",
    "ThreadUpserted",
    "ThreadsCaughtUp"
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
  "SendMessageResult": [
    "IdempotencyKeyInUseError",
    "IdempotencyKeyReusedError",
    "InvalidInputError",
    "NotFoundError",
    "PostedMessage",
    "ThreadNotReadyError"
  ],
  "SetThreadPrivacyResult": [
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
  "UploadAttachmentResult": [
    "AttachmentQuotaError",
    "AttachmentUpload",
    "InvalidInputError"
  ]
};
