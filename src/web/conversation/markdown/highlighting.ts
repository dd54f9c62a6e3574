/**
 * Syntax highlighting. The highlighter and each language are loaded when they are first needed; until then, code is shown as
 * plain text.
 */
import type { Root } from 'hast';
import { startTransition, useEffect, useMemo, useState } from 'react';
import { Signal } from '../../ui/state/signal.js';
import { type CodeLanguage, codeLanguage } from './code-languages.js';

/** Highlighting longer code would block the page, and so would 50,000 times the same letter in one line: for half a minute. */
const longestCode = 50_000;
const longestLine = 5000;
/** The time for C and its relatives grows with the square of a text without punctuation. Code has some sooner. */
const longestUnpunctuated = 1000;

let colours: typeof import('./code-colours.js') | null = null;
const ready = new Set<CodeLanguage>();
const asked = new Set<CodeLanguage>();
const loaded = new Signal();

/**
 * Returns the highlighter of a language, or null until it is loaded. The highlighter returns null for code that is too long.
 */
export function useHighlighting(languageName: string): ((code: string) => Root | null) | null {
  const language = codeLanguage(languageName);
  const [isReady, setReady] = useState(() => language !== undefined && ready.has(language));
  useEffect(() => {
    if (!language || isReady) return;
    // All code that waited is highlighted in a transition, in time slices.
    const look = () => ready.has(language) && startTransition(() => setReady(true));
    const stop = loaded.on(look);
    ask(language);
    look();
    return stop;
  }, [language, isReady]);
  return useMemo(() => (language && isReady ? (code) => colour(language, code) : null), [language, isReady]);
}

function ask(language: CodeLanguage): void {
  if (asked.has(language)) return;
  asked.add(language);
  load(language).catch(() => asked.delete(language));
}

function colour({ name }: CodeLanguage, code: string): Root | null {
  return colours && !isTooLong(code) ? colours.lowlight.highlight(name, code) : null;
}

function isTooLong(code: string): boolean {
  const has = (parts: string[], most: number) => parts.some(({ length }) => length > most);
  const hasLongPart = has(code.split('\n'), longestLine) || has(code.split(/[^\w\s*&]/), longestUnpunctuated);
  return hasLongPart || code.length > longestCode;
}

async function load(language: CodeLanguage): Promise<void> {
  const needed = [language, ...language.inside.flatMap((name) => codeLanguage(name) ?? [])];
  const [module, ...grammars] = await Promise.all([
    import('./code-colours.js'),
    ...needed.map(async ({ name, load }) => ({ name, grammar: (await load()).default })),
  ]);
  for (const { name, grammar } of grammars) module.lowlight.register(name, grammar);
  colours = module;
  ready.add(language);
  loaded.emit();
}
