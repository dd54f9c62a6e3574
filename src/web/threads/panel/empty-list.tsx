/** What a list without threads says: why it is empty, and what to do about it. */
import { Link } from 'wouter';
import type { View } from '../store/thread-filter.js';

const reasons: Record<View, string> = {
  all: 'Threads of your whole team will appear here, except for those that are private to others.',
  mine: 'You have not started a thread yet.',
  private: 'Nothing is private. Use the menu of a thread of yours to hide it from your colleagues.',
  archived: 'Nothing is archived. Archiving a thread takes it out of the lists; nothing is ever deleted.',
};

export function EmptyList({ view, q }: { view: View; q: string }) {
  if (q) {
    return (
      <div className="thread-empty">
        <p>No thread has these words in its name or its messages.</p>
        <p>Try fewer words, or the beginning of one. Archived threads are found under “Archived”.</p>
      </div>
    );
  }
  return (
    <div className="thread-empty">
      <p>{reasons[view]}</p>
      {(view === 'all' || view === 'mine') && (
        <Link href="/new" className="button">
          Start a thread
        </Link>
      )}
    </div>
  );
}
