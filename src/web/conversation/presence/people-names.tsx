/** The names of people in a sentence: all of a few, otherwise some of them and the number of the others. */
import { displayName } from '../../ui/display-name.js';
import type { PresentPerson } from './thread-presence.js';

export interface Named {
  people: readonly PresentPerson[];
  /** Of all, including those who are not in `people`. */
  count: number;
  /** How many are named at most. */
  most: number;
}

const list = new Intl.ListFormat('en', { type: 'conjunction' });

/** The parts of the list: names, with the id of their person, and the words between them. */
function partsOf({ people, count, most }: Named): { id?: string; text: string }[] {
  const shown = people.slice(0, count > most ? most - 1 : most);
  const names = new Map(shown.map(({ id, name }) => [id, displayName(name, 'a member without a name')]));
  const others = count - shown.length;
  if (others > 0) names.set('others', others === 1 ? '1 other' : `${others} others`);
  return list
    .formatToParts(names.keys())
    .map(({ type, value }) => (type === 'element' ? { id: value, text: names.get(value) ?? '' } : { text: value }));
}

export function namesOf(named: Named): string {
  return partsOf(named)
    .map(({ text }) => text)
    .join('');
}

/** The same with each name in its own direction. */
export function Names(named: Named) {
  return partsOf(named).map(({ id, text }) => (id === undefined ? text : <bdi key={id}>{text}</bdi>));
}
