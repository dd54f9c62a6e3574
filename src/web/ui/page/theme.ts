/** The theme: light, dark or the one of the system. `public/theme.js` applies the stored choice before the first paint. */
const key = 'skein.theme';

export type Theme = 'system' | 'light' | 'dark';

export function chosenTheme(): Theme {
  const stored = localStorage.getItem(key);
  return stored === 'light' || stored === 'dark' ? stored : 'system';
}

export function chooseTheme(theme: Theme): void {
  if (theme === 'system') localStorage.removeItem(key);
  else localStorage.setItem(key, theme);
  document.documentElement.style.colorScheme = theme === 'system' ? '' : theme;
}
