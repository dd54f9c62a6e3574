import { Link } from 'wouter';
import type { ThreadLink } from '../../api/types.js';
import { threadTitle } from '../../ui/display-name.js';

export function LinkToThread({ thread }: { thread: ThreadLink }) {
  return (
    <Link href={`/threads/${thread.id}`}>
      <bdi>{threadTitle(thread)}</bdi>
    </Link>
  );
}
