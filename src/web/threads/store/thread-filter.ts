/** The views of the list of threads: the filter for the service, and the same filter for a thread that has changed. */
import type { Thread, ThreadFilter } from '../../api/types.js';

export type View = 'all' | 'mine' | 'private' | 'archived';

export const views: readonly { view: View; label: string }[] = [
  { view: 'all', label: 'All' },
  { view: 'mine', label: 'Mine' },
  { view: 'private', label: 'Private' },
  { view: 'archived', label: 'Archived' },
];

export function filterOf(view: View, q: string): ThreadFilter {
  return {
    ...(q ? { q } : {}),
    ...(view === 'mine' ? { owned: true } : {}),
    ...(view === 'private' ? { private: true } : {}),
    ...(view === 'archived' ? { onlyArchived: true } : {}),
  };
}

/** Whether a thread belongs to a view, regardless of the search. */
export function isInView(thread: Thread, view: View, viewerId: string): boolean {
  if (view === 'archived') return thread.archived;
  if (thread.archived) return false;
  if (view === 'mine') return thread.owner.id === viewerId;
  return view !== 'private' || thread.isPrivate;
}

/** Most recently updated first, like the service. */
export function byUpdate(a: Thread, b: Thread): number {
  return b.updatedAt.localeCompare(a.updatedAt) || b.id.localeCompare(a.id);
}
