/** Where a search hit the text of a thread and not its name: the words around it, and the way to that message. */
import { useEffect, useState } from 'react';
import { gql } from 'urql';
import { Link } from 'wouter';
import { ask } from '../api/client.js';
import type { Page, Thread } from '../api/types.js';
import { Marked, patternOf } from './marked.js';

export const hitQuery = gql<
  { thread: { messages: Page<{ id: string; contents: { text?: string }[] }> } },
  { id: string }
>`
  query SearchHit($id: ID!) {
    thread(id: $id) {
      messages(first: 200) {
        edges {
          node {
            id
            contents {
              ... on TextBlock {
                text
              }
            }
          }
        }
      }
    }
  }
`;

interface Hit {
  messageId: string;
  excerpt: string;
}

const before = 30;
const after = 90;

export function SearchHit({ thread, q }: { thread: Thread; q: string }) {
  const [hit, setHit] = useState<Hit | null>(null);
  const isInName = patternOf(q)?.test(thread.name ?? '') ?? true;
  useEffect(() => {
    let isGone = false;
    setHit(null);
    if (!isInName) void findHit(thread.id, q).then((found) => !isGone && setHit(found));
    return () => {
      isGone = true;
    };
  }, [thread.id, q, isInName]);
  if (!hit) return null;
  return (
    <Link href={`/threads/${thread.id}/messages/${hit.messageId}`} className="thread-hit">
      <Marked text={hit.excerpt} q={q} />
    </Link>
  );
}

async function findHit(id: string, q: string): Promise<Hit | null> {
  const outcome = await ask(hitQuery, { id });
  if (!outcome.ok) return null;
  for (const { node } of outcome.value.thread.messages.edges) {
    const excerpt = excerptOf(node.contents.map((block) => block.text ?? '').join(' '), q);
    if (excerpt !== null) return { messageId: node.id, excerpt };
  }
  return null;
}

/** The words around the first hit, without the marks of Markdown; null where there is none. */
function excerptOf(markdown: string, q: string): string | null {
  const text = markdown.replace(/[*_`#>|~]+/g, '').replace(/\s+/g, ' ');
  const index = text.search(patternOf(q) ?? /$^/);
  if (index < 0) return null;
  const start = index <= before ? 0 : text.indexOf(' ', index - before) + 1;
  const end = index + after >= text.length ? text.length : text.lastIndexOf(' ', index + after);
  return `${start > 0 ? '…' : ''}${text.slice(Math.min(start, index), end)}${end < text.length ? '…' : ''}`;
}
