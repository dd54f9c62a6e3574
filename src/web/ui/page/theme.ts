/** The theme: light, dark or the one of the system. `public/start.js` applies the stored choice before the first paint. */
import { useSyncExternalStore } from 'react';
import { Signal } from '../state/signal.js';

const key = 'skein.theme';

export type Theme = 'system' | 'light' | 'dark';

function chosenTheme(): Theme {
  const stored = localStorage.getItem(key);
  return stored === 'light' || stored === 'dark' ? stored : 'system';
}

export function chooseTheme(theme: Theme): void {
  if (theme === 'system') localStorage.removeItem(key);
  else localStorage.setItem(key, theme);
  document.documentElement.style.colorScheme = theme === 'system' ? '' : theme;
  colourBrowser(theme);
  changed.emit();
}

/** Selects the colour of what the browser or the system paints around the page. */
function colourBrowser(theme: Theme): void {
  for (const meta of document.querySelectorAll<HTMLMetaElement>('meta[data-theme]')) {
    const colours = meta.dataset['theme'];
    if (theme === 'system') meta.media = `(prefers-color-scheme: ${colours})`;
    else meta.media = colours === theme ? 'all' : 'not all';
  }
}

const changed = new Signal();

export function useTheme(): Theme {
  return useSyncExternalStore(changed.on, chosenTheme);
}
