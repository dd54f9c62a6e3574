/**
 * Which language the application is shown in: the one that was chosen on this device, else the first of the browser's that there
 * is. It is shown when its texts are here, so that no others flash before, and the tabs of a browser follow each other.
 */
import { importWithRetry } from '../ui/state/import-with-retry.js';
import { loadCatalogue } from './catalogues.js';
import { currentLanguage } from './current-language.js';
import { directionOf, firstLanguageOf, isLanguage, type Language, tagOf } from './languages.js';
import { defineTexts } from './texts.js';

const storageKey = 'skein.language';

/** The choice of this device; null if it follows the browser. */
export function chosenLanguage(): Language | null {
  const stored = localStorage.getItem(storageKey) ?? '';
  return isLanguage(stored) ? stored : null;
}

export function languageOfBrowser(): Language {
  return firstLanguageOf(navigator.languages) ?? 'en';
}

/** Chooses a language for this device, or with null the one of the browser. Resolves to whether its texts could be loaded. */
export async function chooseLanguage(choice: Language | null): Promise<boolean> {
  const language = choice ?? languageOfBrowser();
  wanted = language;
  if (!(await load(language))) return false;
  if (wanted !== language) return true;
  if (choice === null) localStorage.removeItem(storageKey);
  else localStorage.setItem(storageKey, choice);
  show(language);
  return true;
}

/** Resolves when there is something to show: where the texts do not load at once, that is English until they do. */
export async function startLanguage(): Promise<void> {
  addEventListener('storage', ({ key }) => {
    if (key === storageKey) void follow();
  });
  const language = chosenLanguage() ?? languageOfBrowser();
  wanted = language;
  if (await load(language)) show(language);
  else void follow();
}

/** Shows the language that is chosen now, as soon as its texts are here. */
async function follow(): Promise<void> {
  const language = chosenLanguage() ?? languageOfBrowser();
  wanted = language;
  await importWithRetry(() => fill(language));
  if (wanted === language) show(language);
}

/** The language that was asked for last: the texts of an earlier one may arrive later. */
let wanted: Language;

function load(language: Language): Promise<boolean> {
  return fill(language).then(
    () => true,
    () => false,
  );
}

async function fill(language: Language): Promise<void> {
  if (language !== 'en') Object.assign(defineTexts.cache, { [language]: await loadCatalogue(language) });
}

function show(language: Language): void {
  document.documentElement.lang = tagOf(language);
  document.documentElement.dir = directionOf(language);
  currentLanguage.set(language);
}
