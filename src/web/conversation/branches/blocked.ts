import { defineTexts } from '../../language/texts.js';
import type { ConversationState } from '../store/conversation-state.js';

const texts = defineTexts('conversation/branches/blocked', {
  failed: 'This thread failed and cannot be changed',
  busy: 'Wait for the answer to end',
});

/** Why the conversation cannot branch now; null if it can. */
export function blockedIn({ thread }: ConversationState, isBusy: boolean): string | null {
  if (thread?.state === 'ERROR') return texts.get().failed;
  return isBusy ? texts.get().busy : null;
}
