/**
 * The languages of the reader, in which dates and numbers are written. The default of `Intl` is the language of the browser's own
 * menus instead. Tags that `Intl` would throw at, which some systems report, are left out.
 */
export const languages = navigator.languages.filter(isTag);

function isTag(language: string): boolean {
  try {
    return Intl.getCanonicalLocales(language).length > 0;
  } catch {
    return false;
  }
}
