/**
 * Whether the assistant is answering. An answer is over when its stream says so, although it has not been fetched yet: whoever
 * writes the next message then is not asked whether to interrupt it.
 */
import { useSyncExternalStore } from 'react';
import { type ConversationState, isAwaited } from './conversation-state.js';

export function useIsBusy({ thread, live }: ConversationState): boolean {
  const isGrowing = useSyncExternalStore(
    live?.subscribe ?? nothing,
    () => live !== null && live.getState().status !== 'ENDED',
  );
  return isGrowing || isAwaited(thread);
}

const nothing = () => () => undefined;
