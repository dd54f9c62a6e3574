/** The mutations of a conversation. */
import { mutation, posted } from './mutation.js';

export const createThreadMutation = mutation(
  'CreateThread($input: CreateThreadInput!)',
  'createThread(input: $input)',
  posted,
);

export const sendMessageMutation = mutation(
  'SendMessage($input: SendMessageInput!)',
  'sendMessage(input: $input)',
  posted,
);

export const answerChoiceMutation = mutation(
  'AnswerChoice($input: AnswerChoiceInput!)',
  'answerChoice(input: $input)',
  posted,
);

export const editMessageMutation = mutation(
  'EditMessage($input: EditMessageInput!)',
  'editMessage(input: $input)',
  posted,
);

export const regenerateMutation = mutation(
  'RegenerateResponse($input: RegenerateResponseInput!)',
  'regenerateResponse(input: $input)',
  posted,
);

export const selectVariantMutation = mutation('SelectVariant($messageId: ID!)', 'selectVariant(messageId: $messageId)');

export const stopMutation = mutation('StopResponse($messageId: ID!)', 'stopResponse(messageId: $messageId)');

export const feedbackMutation = mutation(
  'SubmitFeedback($input: SubmitFeedbackInput!)',
  'submitFeedback(input: $input)',
);

export const withdrawFeedbackMutation = mutation(
  'WithdrawFeedback($input: WithdrawFeedbackInput!)',
  'withdrawFeedback(input: $input)',
);

export const uploadMutation = mutation(
  'UploadAttachment($input: UploadAttachmentInput!)',
  'uploadAttachment(input: $input)',
  '... on AttachmentUpload { uploadUrl attachment { id } }',
);
