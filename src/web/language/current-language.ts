/** The language that the application is shown in. Until `startLanguage` has run, and outside of a browser, that is English. */
import { atom } from 'nanostores';
import type { Language } from './languages.js';

export const currentLanguage = atom<Language>('en');
