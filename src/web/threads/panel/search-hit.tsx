/** The message of a thread that a search found: an excerpt that links to the message. */
import { Link } from 'wouter';
import type { ThreadMatch } from '../../api/thread-documents.js';
import { Marked } from './marked.js';
import { withoutMarkdown } from './without-markdown.js';

export interface SearchHitProps {
  threadId: string;
  messageId: string;
  parts: ThreadMatch['parts'];
}

export function SearchHit({ threadId, messageId, parts }: SearchHitProps) {
  return (
    <Link href={`/threads/${threadId}/messages/${messageId}`} className="thread-hit">
      <bdi>
        <Marked parts={parts.map(({ text, isHit }) => ({ text: isHit ? text : withoutMarkdown(text), isHit }))} />
      </bdi>
    </Link>
  );
}
