/** What a search found in a thread. */
import { Link } from 'wouter';
import type { ThreadMatch } from '../../api/thread-documents.js';
import { cleanText } from '../../ui/display-name.js';
import { withoutMarkdown } from './without-markdown.js';

export interface SearchHitProps extends Pick<ThreadMatch, 'parts'> {
  threadId: string;
  messageId: string;
}

/** An excerpt of the message that was found, which links to it. */
export function SearchHit({ threadId, messageId, parts }: SearchHitProps) {
  return (
    <Link href={`/threads/${threadId}/messages/${messageId}`} className="thread-hit">
      <bdi>
        <Marked parts={parts.map(({ text, isHit }) => ({ text: isHit ? text : withoutMarkdown(text), isHit }))} />
      </bdi>
    </Link>
  );
}

/** A text with the hits highlighted. */
export function Marked({ parts }: Pick<ThreadMatch, 'parts'>) {
  return parts.map(({ text, isHit }, index) => {
    // An element each: a browser that translates the page replaces text that stands alone, and React could not remove it.
    const Part = isHit ? 'mark' : 'span';
    const key = `${index}:${text}`;
    return <Part key={key}>{cleanText(text)}</Part>;
  });
}
