/** Makes a name of what a model answers when it is asked for one. */

const maxCharacters = 60;
/** A segmenter copies all of its text for each character. */
const longestLine = 2000;
/** What models put around a name: quotes, marks of Markdown, and a word that announces it. */
const wrapping = /^[\s"'“”„«»‘’`*_#>-]+|[\s"'“”„«»‘’`*_.-]+$/gu;
const announcement = /^(title|name|titel|titre|título)\s*:\s*/iu;
/** Not the joiners within emoji and words of some scripts. */
const invisible = /[\p{Cc}\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff]+/gu;

const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' });

/** The first line without what surrounds the name, at most 60 characters long; null if nothing is left. */
export function cleanName(answer: string): string | null {
  const [line = ''] = answer.trim().split(/[\r\n\u2028\u2029]/, 1);
  const visible = line.slice(0, longestLine).toWellFormed().replace(invisible, ' ').replace(/\s+/g, ' ');
  const name = visible.replace(wrapping, '').replace(announcement, '').replace(wrapping, '');
  const characters = [...graphemes.segment(name)].map(({ segment }) => segment);
  if (characters.length <= maxCharacters) return name || null;
  return `${characters
    .slice(0, maxCharacters - 1)
    .join('')
    .trimEnd()}…`;
}
