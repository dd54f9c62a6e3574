/** Cycles through the system theme, light and dark. */
import Contrast from 'lucide-react/icons/contrast';
import { useState } from 'react';
import { IconButton } from '../ui/button.js';
import { chooseTheme, chosenTheme, type Theme } from '../ui/page/theme.js';

const following: Record<Theme, Theme> = { system: 'light', light: 'dark', dark: 'system' };

export function ThemeSwitch() {
  const [theme, setTheme] = useState(chosenTheme);
  const change = () => {
    chooseTheme(following[theme]);
    setTheme(following[theme]);
  };
  return <IconButton icon={Contrast} label={`Theme: ${theme}. Switch to ${following[theme]}`} onClick={change} />;
}
