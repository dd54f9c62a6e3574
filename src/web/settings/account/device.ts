/** Describes a browser and its operating system from the user agent. */
import { defineTexts, withValues } from '../../language/texts.js';

const texts = defineTexts('settings/account/device', {
  iPhone: 'an iPhone',
  iPad: 'an iPad',
  mac: 'a Mac',
  browserOn: withValues('{browser} on {system}'),
  someBrowserOn: withValues('A browser on {system}'),
  unknown: 'An unknown browser',
});

/** The first match counts, because most browsers also claim to be the ones below them. */
const browsers: readonly [RegExp, string][] = [
  [/\bEdg(e|A|iOS)?\//, 'Edge'],
  [/\b(OPR|Opera|OPT)\//, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\b(Firefox|FxiOS)\//, 'Firefox'],
  [/(\b|Headless)(Chrome|Chromium|CriOS)\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
];

const systems: readonly [RegExp, () => string][] = [
  [/\biPhone\b/, () => texts.get().iPhone],
  [/\biPad\b/, () => texts.get().iPad],
  [/\bAndroid\b/, () => 'Android'],
  [/\bCrOS\b/, () => 'ChromeOS'],
  [/\bWindows\b/, () => 'Windows'],
  [/\b(Macintosh|Mac OS X)\b/, () => texts.get().mac],
  [/\bLinux\b/, () => 'Linux'],
];

/** For example "Firefox on Windows". For an unknown client, the first product name, such as "curl". */
export function deviceOf(userAgent: string | null): string {
  const t = texts.get();
  const text = userAgent ?? '';
  const browser = browsers.find(([sign]) => sign.test(text))?.[1];
  const system = systems.find(([sign]) => sign.test(text))?.[1]();
  if (browser) return system ? t.browserOn({ browser, system }) : browser;
  if (system) return t.someBrowserOn({ system });
  return /^[\w.-]{1,40}/.exec(text)?.[0] ?? t.unknown;
}
