/** The languages that the texts exist in, and which of them a reader gets. */

/** The names of the languages, each in itself: whoever reads no other one finds theirs. */
export const languageNames = {
  en: 'English',
  de: 'Deutsch',
  fr: 'Français',
  es: 'Español',
  zh: '中文（简体）',
  ar: 'العربية',
} as const;

export type Language = keyof typeof languageNames;

export function isLanguage(code: string): code is Language {
  return Object.hasOwn(languageNames, code);
}

/** The first of the wanted languages that there is, by its prefix: `de` for `de-AT`. Undefined if there is none. */
export function firstLanguageOf(wanted: readonly string[]): Language | undefined {
  return wanted.map(prefixOf).find(isLanguage);
}

/**
 * What `Intl` gets: the language as it is written where the reader is, if the browser says where, such as `de-AT`. Somebody who
 * reads English texts because theirs do not exist keeps their own dates and numbers.
 */
export function formatLanguages(language: Language, wanted: readonly string[]): string[] {
  const tags = wanted.filter(isTag);
  if (!firstLanguageOf(tags) && language === 'en') return [...tags, language];
  return [...tags.filter((tag) => prefixOf(tag) === language), language];
}

/** For `<html lang>`, by which browsers choose fonts and hyphens. */
export function tagOf(language: Language): string {
  return language === 'zh' ? 'zh-Hans' : language;
}

export function directionOf(language: Language): 'ltr' | 'rtl' {
  return language === 'ar' ? 'rtl' : 'ltr';
}

function prefixOf(tag: string): string {
  return tag.toLowerCase().split('-', 1)[0] ?? '';
}

/** Some systems report tags that `Intl` throws at. */
function isTag(tag: string): boolean {
  try {
    return Intl.getCanonicalLocales(tag).length > 0;
  } catch {
    return false;
  }
}
