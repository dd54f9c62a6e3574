/** The keys of the message field. */
import type { KeyboardEvent } from 'react';

export const touch = matchMedia('(pointer: coarse)');

/** Whether the key sends the message. Ctrl+Enter and ⌘+Enter do so on all screens. */
export function sends({ key, shiftKey, ctrlKey, metaKey }: KeyboardEvent): boolean {
  return key === 'Enter' && !shiftKey && (ctrlKey || metaKey || !touch.matches);
}

export interface ComposerKeys {
  submit: () => void;
  stop: () => Promise<void>;
  /** Takes the queued message back. */
  takeBack: () => void;
  /** Opens the editor of the last message that was sent; false if there is none. */
  editLast: () => boolean;
  setAsking: (isAsking: boolean) => void;
  isAsking: boolean;
  isBusy: boolean;
  isQueued: boolean;
}

export function composerKeys(keys: ComposerKeys) {
  return (event: KeyboardEvent<HTMLTextAreaElement>) => {
    if (sends(event)) {
      event.preventDefault();
      keys.submit();
    } else if (event.key === 'ArrowUp' && event.currentTarget.value === '') {
      if (editEarlier(keys)) event.preventDefault();
    } else if (event.key === 'Escape') closeOrStop(keys);
  };
}

/** Edits what is queued or else the last message that was sent; false if there is neither, or an answer runs. */
function editEarlier({ takeBack, editLast, isQueued, isBusy }: ComposerKeys): boolean {
  if (!isQueued) return !isBusy && editLast();
  takeBack();
  return true;
}

function closeOrStop({ setAsking, stop, isAsking, isBusy }: ComposerKeys): void {
  if (isAsking) setAsking(false);
  else if (isBusy) void stop();
}
