/** A text with the search hits highlighted. */
import { Fragment } from 'react';
import type { ThreadMatch } from '../../api/thread-documents.js';
import { cleanText } from '../../ui/display-name.js';

export function Marked({ parts }: Pick<ThreadMatch, 'parts'>) {
  return parts.map(({ text, isHit }, index) => {
    const key = `${index}:${text}`;
    return isHit ? <mark key={key}>{cleanText(text)}</mark> : <Fragment key={key}>{cleanText(text)}</Fragment>;
  });
}
