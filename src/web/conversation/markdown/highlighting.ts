/**
 * Syntax highlighting. The highlighter and each language are loaded when they are first needed; until then, code is shown as
 * plain text.
 */
import type { Root } from 'hast';
import { type LateValue, lateValue } from '../../ui/state/late-value.js';
import { type CodeLanguage, codeLanguage } from './code-languages.js';

/** Highlighting longer code would block the page, and so would 50,000 times the same letter in one line: for half a minute. */
const longestCode = 50_000;
const longestLine = 5000;
/** The time for C and its relatives grows with the square of a text without punctuation. Code has some sooner. */
const longestUnpunctuated = 1000;

/** Returns null for code that is too long or in an unknown language. */
type Highlight = (code: string) => Root | null;

const highlighters = new Map<CodeLanguage | undefined, LateValue<Highlight>>();

/** The highlighter of a language, or null until it is loaded. */
export function useHighlighting(languageName: string): Highlight | null {
  const language = codeLanguage(languageName);
  const highlighter = highlighters.get(language) ?? lateValue(() => load(language));
  highlighters.set(language, highlighter);
  return highlighter.useValue();
}

async function load(language: CodeLanguage | undefined): Promise<Highlight> {
  if (!language) return () => null;
  const needed = [language, ...language.inside.flatMap((name) => codeLanguage(name) ?? [])];
  const [{ lowlight }, ...grammars] = await Promise.all([
    import('./code-colours.js'),
    ...needed.map(async ({ name, load }) => ({ name, grammar: (await load()).default })),
  ]);
  for (const { name, grammar } of grammars) lowlight.register(name, grammar);
  return (code) => (isTooLong(code) ? null : lowlight.highlight(language.name, code));
}

function isTooLong(code: string): boolean {
  const has = (parts: string[], most: number) => parts.some(({ length }) => length > most);
  const hasLongPart = has(code.split('\n'), longestLine) || has(code.split(/[^\w\s*&]/), longestUnpunctuated);
  return hasLongPart || code.length > longestCode;
}
