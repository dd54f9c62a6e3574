/** What was written and not sent, kept in this browser for each thread. */
import { useCallback, useState } from 'react';

const keyOf = (place: string) => `skein.draft.${place}`;

export function useDraft(place: string): [string, (text: string) => void] {
  const [text, setText] = useState(() => localStorage.getItem(keyOf(place)) ?? '');
  const write = useCallback(
    (written: string) => {
      setText(written);
      if (written) localStorage.setItem(keyOf(place), written);
      else localStorage.removeItem(keyOf(place));
    },
    [place],
  );
  return [text, write];
}
