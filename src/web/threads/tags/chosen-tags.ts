/** The tags that are being written for a thread, each once, and as many as it may have. */
import { maximumTagLength, maximumTags, tagKey, tidyTag } from '../../../contract.js';
import { counted, defineTexts } from '../../language/texts.js';

const texts = defineTexts('threads/tags/chosen-tags', {
  tooLong: counted({ one: 'A tag has at most {count} character.', other: 'A tag has at most {count} characters.' }),
  tooMany: counted({
    one: 'A thread has at most {count} tag. Remove one first.',
    other: 'A thread has at most {count} tags. Remove one first.',
  }),
});

export interface ChosenTags {
  tags: readonly string[];
  /** Why the rest of what was written could not be added. */
  problem: string | null;
}

/** The tags with what was written, in which commas separate several. */
export function withTags(tags: readonly string[], written: string): ChosenTags {
  const chosen = [...tags];
  for (const tag of written.split(',').map(tidyTag)) {
    if ([...tag].length > maximumTagLength) return { tags: chosen, problem: texts.get().tooLong(maximumTagLength) };
    if (tagKey(tag) === '' || chosen.some((other) => tagKey(other) === tagKey(tag))) continue;
    if (chosen.length === maximumTags) return { tags: chosen, problem: texts.get().tooMany(maximumTags) };
    chosen.push(tag);
  }
  return { tags: chosen, problem: null };
}

const mostSuggestions = 8;

/** The tags in use that go on with what was written, or contain it, and are not chosen yet. */
export function suggestionsFor(
  written: string,
  { inUse, tags }: { inUse: readonly string[]; tags: readonly string[] },
) {
  const key = tagKey(written.slice(0, maximumTagLength));
  const taken = new Set(tags.map(tagKey));
  const found = inUse.filter((tag) => !taken.has(tagKey(tag)) && tagKey(tag).includes(key));
  const begins = (tag: string) => (tagKey(tag).startsWith(key) ? 0 : 1);
  return found.toSorted((a, b) => begins(a) - begins(b)).slice(0, mostSuggestions);
}
