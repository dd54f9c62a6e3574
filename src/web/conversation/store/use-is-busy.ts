/**
 * Whether the assistant is answering. An answer is over when its stream ends, even if it has not been loaded yet, so that
 * the next message does not ask whether to interrupt it.
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
