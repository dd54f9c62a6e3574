/** A text with the search hits highlighted. */
import type { ThreadMatch } from '../../api/thread-documents.js';
import { cleanText } from '../../ui/display-name.js';

export function Marked({ parts }: Pick<ThreadMatch, 'parts'>) {
  return parts.map(({ text, isHit }, index) => {
    // An element each: a browser that translates the page replaces text that stands alone, and React could not remove it.
    const Part = isHit ? 'mark' : 'span';
    const key = `${index}:${text}`;
    return <Part key={key}>{cleanText(text)}</Part>;
  });
}
