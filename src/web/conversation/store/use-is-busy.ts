/**
 * Whether the assistant is answering. An answer is over when its stream ends, even if it has not been loaded yet, so that
 * the next message does not ask whether to interrupt it.
 */
import { useSyncExternalStore } from 'react';
import type { Thread } from '../../api/types.js';
import { isAwaited } from '../../threads/store/is-awaited.js';
import type { LiveAnswer } from './live-answer.js';

export function useIsBusy(thread: Thread | null, live: LiveAnswer | null): boolean {
  const isGrowing = useSyncExternalStore(
    live?.subscribe ?? nothing,
    () => live !== null && live.getState().status !== 'ENDED',
  );
  return isGrowing || isAwaited(thread);
}

const nothing = () => () => undefined;
