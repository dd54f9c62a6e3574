/** Cycles through the system theme, light and dark. */
import Contrast from 'lucide-react/icons/contrast';
import { defineTexts, useTexts } from '../language/texts.js';
import { IconButton } from '../ui/button.js';
import { chooseTheme, type Theme, useTheme } from '../ui/page/theme.js';

const texts = defineTexts('shell/theme-switch', {
  system: 'Theme: system. Switch to light',
  light: 'Theme: light. Switch to dark',
  dark: 'Theme: dark. Switch to system',
});

const following: Record<Theme, Theme> = { system: 'light', light: 'dark', dark: 'system' };

export function ThemeSwitch() {
  const t = useTexts(texts);
  const theme = useTheme();
  return <IconButton icon={Contrast} label={t[theme]} onClick={() => chooseTheme(following[theme])} />;
}
