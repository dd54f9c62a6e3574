/**
 * Under which names a client gives the position to resume at. Where a polyfill of EventSource cannot set `Last-Event-ID`, it
 * appends the position to its first URL, each under a spelling of its own, so that what it appends is newer than a
 * `last_event_id` that the URL began with.
 */

/** The documented name. */
const parameter = 'last_event_id';

/** Gives the position its one name. Several that differ all stay, and are refused as a parameter that is given twice. */
export function namePosition(search: URLSearchParams): URLSearchParams {
  const spellings = [...new Set(search.keys())].filter((name) => name !== parameter && isSpelling(name));
  if (spellings.length === 0) return search;
  const positions = new Set(spellings.flatMap((name) => search.getAll(name)).filter((position) => position !== ''));
  for (const name of spellings) search.delete(name);
  if (positions.size > 0) search.delete(parameter);
  for (const position of positions) search.append(parameter, position);
  return search;
}

/** For example `lastEventId`, `lastEventID`, `last-event-id` and `Last-Event-ID`. */
function isSpelling(name: string): boolean {
  return name.replaceAll(/[-_]/g, '').toLowerCase() === 'lasteventid';
}
