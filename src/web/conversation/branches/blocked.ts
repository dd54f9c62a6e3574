import type { ConversationState } from '../store/conversation-state.js';

/** Why the conversation cannot branch now; null if it can. */
export function blockedIn({ thread }: ConversationState, isBusy: boolean): string | null {
  if (thread?.state === 'ERROR') return 'This thread failed and cannot be changed';
  return isBusy ? 'Wait for the answer to end' : null;
}
