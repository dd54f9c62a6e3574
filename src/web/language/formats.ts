/** Formats of dates, numbers and lists in the language of the texts. The default of `Intl` is that of the menus of the browser. */
import { currentLanguage } from './current-language.js';
import { formatLanguages, type Language } from './languages.js';

/** The format that is made for the language, once for each. */
export function formatIn<Format>(make: (languages: string[]) => Format): () => Format {
  const made = new Map<Language, Format>();
  return () => {
    const language = currentLanguage.get();
    const format = made.get(language) ?? make(formatLanguages(language, globalThis.navigator?.languages ?? []));
    made.set(language, format);
    return format;
  };
}

export const numbers = formatIn((languages) => new Intl.NumberFormat(languages));
