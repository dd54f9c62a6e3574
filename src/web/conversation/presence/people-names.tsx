/** The names of people in a sentence: all of a few, otherwise some of them and the number of the others. */
import { currentLanguage } from '../../language/current-language.js';
import { formatIn } from '../../language/formats.js';
import { counted, defineTexts } from '../../language/texts.js';
import { displayName } from '../../ui/display-name.js';
import type { PresentPerson } from './thread-presence.js';

const texts = defineTexts('conversation/presence/people-names', {
  nameless: 'a member without a name',
  others: counted({ one: '{count} other', other: '{count} others' }),
});

export interface Named {
  people: readonly PresentPerson[];
  /** Of all, including those who are not in `people`. */
  count: number;
  /** How many are named at most. */
  most: number;
}

const list = formatIn(() => new Intl.ListFormat(currentLanguage.get(), { type: 'conjunction' }));

/** The parts of the list: names, with the id of their person, and the words between them. */
function partsOf({ people, count, most }: Named): { id?: string; text: string }[] {
  const shown = people.slice(0, count > most ? most - 1 : most);
  const names = new Map(shown.map(({ id, name }) => [id, displayName(name, texts.get().nameless)]));
  const others = count - shown.length;
  if (others > 0) names.set('others', texts.get().others(others));
  return list()
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
