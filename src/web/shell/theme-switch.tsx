/** Cycles through the system theme, light and dark. */
import Contrast from 'lucide-react/icons/contrast';
import { IconButton } from '../ui/button.js';
import { chooseTheme, type Theme, useTheme } from '../ui/page/theme.js';

const following: Record<Theme, Theme> = { system: 'light', light: 'dark', dark: 'system' };

export function ThemeSwitch() {
  const theme = useTheme();
  return (
    <IconButton
      icon={Contrast}
      label={`Theme: ${theme}. Switch to ${following[theme]}`}
      onClick={() => chooseTheme(following[theme])}
    />
  );
}
