import { useState } from 'react';
import { useDraft } from './use-draft.js';

/** A text that is edited. What was changed is a draft until it is discarded, which is when it was saved too. */
export function useEditedText(place: string, original: string) {
  const draft = useDraft(place);
  const [text, setText] = useState(() => draft.text || original);
  const write = (written: string) => {
    setText(written);
    draft.write(written === original ? '' : written);
  };
  return { text, write, discard: () => draft.write('') };
}
