/**
 * What was written and not sent, kept in this browser for each thread. What is being sent leaves the field and stays kept, until
 * it was accepted: a page that is closed meanwhile loses nothing.
 */
import { useCallback, useState } from 'react';

const prefix = 'skein.draft.';

export interface DraftText {
  text: string;
  write: (text: string) => void;
  /** Empties the field alone. */
  lift: () => void;
  /** Forgets what was sent; keeps what was written since. */
  settle: (sent: string) => void;
}

export function useDraft(place: string): DraftText {
  const key = prefix + place;
  const [text, setText] = useState(() => localStorage.getItem(key) ?? '');
  const write = useCallback(
    (written: string) => {
      setText(written);
      if (written) localStorage.setItem(key, written);
      else localStorage.removeItem(key);
    },
    [key],
  );
  const settle = (sent: string) => {
    if (localStorage.getItem(key) === sent) localStorage.removeItem(key);
  };
  return { text, write, lift: () => setText(''), settle };
}

/** For whoever signs out: nobody else shall read them here. */
export function forgetDrafts(): void {
  for (const key of Object.keys(localStorage)) if (key.startsWith(prefix)) localStorage.removeItem(key);
}
