/**
 * Decides which tags a thread may have, and what each is found by. Nothing is folded before it is known to be short, since
 * folding takes time with the square of the length.
 */
import { maximumTagLength, maximumTags, tagKey, tidyTag } from '../../../contract.js';
import { type InputProblem, InvalidInputError } from '../../../errors.js';
import { unstorable } from '../../check-text.js';
import type { Who } from '../visibility.js';

/**
 * The tags as they are stored, in the order given, each once, in the spelling that comes first. Throws an `InvalidInputError` that
 * names every invalid tag.
 */
export function checkTags(tags: readonly string[]): string[] {
  if (tags.length > maximumTags) {
    throw new InvalidInputError([{ field: 'tags', message: `must have at most ${maximumTags} tags` }]);
  }
  const problems = tags.flatMap((tag, index): InputProblem[] => {
    const message = faultOf(tag);
    return message ? [{ field: `tags.${index}`, message }] : [];
  });
  if (problems.length > 0) throw new InvalidInputError(problems);
  const byKey = new Map<string, string>();
  for (const tag of tags) {
    const key = tagKey(tag);
    if (!byKey.has(key)) byKey.set(key, tidyTag(tag));
  }
  return [...byKey.values()];
}

/** What threads of the viewer's organization with that tag have in `tag_keys`; null if no thread can have it. */
export function storedKey({ organizationId }: Who, tag: string): string | null {
  return faultOf(tag) === null ? `${organizationId} ${tagKey(tag)}` : null;
}

/** Commas separate tags where people write several. */
const forbidden = /[,\p{Cc}\u2028\u2029]/u;

/** Why no thread can have the tag, or null. */
function faultOf(text: string): string | null {
  const fault = unstorable(text);
  if (fault) return fault;
  const tag = text.trim();
  if (isTooLong(tag) || isTooLong(tidyTag(tag))) return `must be at most ${maximumTagLength} characters long`;
  if (forbidden.test(tag)) return 'must not contain commas, line breaks or other control characters';
  return tagKey(tag) === '' ? 'must not be empty' : null;
}

function isTooLong(tag: string): boolean {
  return tag.length > 2 * maximumTagLength || [...tag].length > maximumTagLength;
}
