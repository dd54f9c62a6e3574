/** The mutations that branch a conversation. */
import { mutation, posted } from './mutation.js';

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
