/**
 * What to say of a text that is too long. The fields have no `maxlength`, with which the browser cuts off what is pasted
 * without a word, and counts an emoji as two characters or more.
 */
import { textLimits } from '../../contract.js';
import { defineTexts, withValues } from '../language/texts.js';

const texts = defineTexts('ui/too-long', {
  message: withValues('A message can have at most {limit} characters. Shorten it, or attach the text as a file.'),
  other: withValues('This text can have at most {limit} characters. Shorten it.'),
});

/** Null if the text is not too long. */
export function tooLong(text: string, limit: 'message' | 'instructions' | 'feedback'): string | null {
  const { max } = textLimits[limit];
  // As the service counts: code points, and only in texts that may be too long.
  if (text.length <= max || [...text].length <= max) return null;
  const t = texts.get();
  return limit === 'message' ? t.message({ limit: max }) : t.other({ limit: max });
}
