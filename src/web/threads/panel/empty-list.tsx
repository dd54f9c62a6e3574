/** Explains why the list of threads is empty and what to do about it. */
import { Link } from 'wouter';
import { cleanText } from '../../ui/display-name.js';
import type { Part, View } from '../store/thread-filter.js';

const reasons: Record<View, string> = {
  all: 'Your team’s threads appear here, except those that are private to someone else.',
  mine: 'You have not started any threads yet.',
  private: 'You have no private threads. To hide a thread from your team, open its menu and choose “Make private”.',
  archived: 'No threads are archived. Archiving removes a thread from the other lists without deleting it.',
};

export default function EmptyList({ view, person, tag, q }: Part & { q: string }) {
  if (q) {
    return (
      <div className="thread-empty">
        <p>No threads match your search.</p>
        <p>Try fewer words, or the beginning of a word. To search archived threads, choose “Archived”.</p>
      </div>
    );
  }
  if (tag !== null) {
    return (
      <div className="thread-empty">
        <p>
          None of these threads has the tag <bdi>{cleanText(tag)}</bdi>.
        </p>
      </div>
    );
  }
  if (person) {
    const kind = view === 'archived' ? 'archived threads' : 'threads';
    return (
      <div className="thread-empty">
        <p>
          <bdi>{person.name}</bdi> has no {kind} that you can read.
        </p>
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
