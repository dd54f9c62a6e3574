/** The texts in each language but English, of which only one is loaded. */
import type { ComponentsJSON } from '@nanostores/i18n';
import type { Language } from './languages.js';

const catalogues: Record<Exclude<Language, 'en'>, () => Promise<{ default: ComponentsJSON }>> = {
  de: () => import('./catalogues/de.json'),
  fr: () => import('./catalogues/fr.json'),
  es: () => import('./catalogues/es.json'),
  zh: () => import('./catalogues/zh.json'),
  ar: () => import('./catalogues/ar.json'),
};

export async function loadCatalogue(language: Language): Promise<ComponentsJSON> {
  return language === 'en' ? {} : (await catalogues[language]()).default;
}
