/** The part of the threads that this tab shows, kept until it is closed or the person signs out, for when its page is loaded again. */
import { onSessionEnd } from '../../api/session-ended.js';
import { type Part, views } from './thread-filter.js';

const key = 'skein.part';
const everything: Part = { view: 'all', person: null, tag: null };

/** Keeps a part for this person, in place of the one before. */
export function keepPart(sub: string, { view, person, tag }: Part): void {
  sessionStorage.setItem(key, JSON.stringify({ sub, part: { view, person, tag } }));
}

/** All threads, unless the person chose a part. */
export function keptPart(sub: string): Part {
  try {
    const kept: { sub?: string; part?: Part } = JSON.parse(sessionStorage.getItem(key) ?? '{}');
    return kept.sub === sub && kept.part && views.includes(kept.part.view) ? kept.part : everything;
  } catch {
    // Somebody else wrote it.
    return everything;
  }
}

onSessionEnd(() => sessionStorage.removeItem(key));
