/** Shown for an unknown address, and for a thread that does not exist or that the viewer may not see. */
import { Link } from 'wouter';
import { useTitle } from '../ui/page/title.js';

export function NotFoundPage({ what = 'page' }: { what?: 'page' | 'thread' }) {
  useTitle('Not found');
  return (
    <div className="page-middle">
      <h1>There is no such {what}</h1>
      <p>
        {what === 'thread'
          ? 'It may be private, or the link may be incomplete. Ask the person who sent it to share the thread with the team.'
          : 'Check the address for typos.'}
      </p>
      <Link href="/" className="button">
        Go to your threads
      </Link>
    </div>
  );
}
