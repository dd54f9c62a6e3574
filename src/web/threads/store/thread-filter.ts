/** What the list of threads shows: the filter for the service, and the same filter for a thread that has changed. */
import { tagKey } from '../../../contract.js';
import type { Thread, ThreadFilter } from '../../api/types.js';

export type View = 'all' | 'mine' | 'private' | 'archived';

export const views: readonly View[] = ['all', 'mine', 'private', 'archived'];

/** A colleague whose threads alone are shown. */
export interface Person {
  id: string;
  name: string;
}

/** A part of the threads, regardless of the search. */
export interface Part {
  view: View;
  person: Person | null;
  /** The tag whose threads alone are shown. */
  tag: string | null;
}

/** The part that has the threads of a colleague, who has none that are the viewer's or private to the viewer. */
export function partOf(person: Person | null, part: Part): Part {
  const isOfViewer = part.view === 'mine' || part.view === 'private';
  return { ...part, person, view: person && isOfViewer ? 'all' : part.view };
}

/** The part after a view was chosen: a colleague stays chosen where they may have threads. */
export function partOfView(view: View, part: Part): Part {
  const { person } = part;
  return { ...part, view, person: view === 'mine' || view === 'private' ? null : person };
}

export function filterOf({ view, person, tag }: Part, q: string): ThreadFilter {
  return {
    ...(person ? { ownerId: person.id } : {}),
    ...(tag === null ? {} : { tag }),
    ...(q ? { q } : {}),
    ...(view === 'mine' ? { owned: true } : {}),
    ...(view === 'private' ? { private: true } : {}),
    ...(view === 'archived' ? { onlyArchived: true } : {}),
  };
}

/** Whether a thread that has changed belongs to a part. */
export function isInPart(thread: Thread, { view, person, tag }: Part, viewerId: string): boolean {
  if (person && thread.owner.id !== person.id) return false;
  if (tag !== null && !thread.tags.some((other) => tagKey(other) === tagKey(tag))) return false;
  if (view === 'archived') return thread.archived;
  if (thread.archived) return false;
  if (view === 'mine') return thread.owner.id === viewerId;
  return view !== 'private' || thread.isPrivate;
}

/** Whether two parts have the same threads. */
export function isSamePart(a: Part, b: Part): boolean {
  return a.view === b.view && a.person?.id === b.person?.id && a.tag === b.tag;
}

/** Where something happened last comes first, like in the service. */
export function byActivity(a: Thread, b: Thread): number {
  return b.activeAt.localeCompare(a.activeAt) || b.id.localeCompare(a.id);
}
