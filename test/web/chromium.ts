/**
 * The Chromium of this machine, found by its name; none is downloaded. Tests prefer `chromium-headless-shell`: the same engine
 * without the pages of a window's own user interface, which cost more processor time than most pages under test.
 */
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { type Browser, chromium } from 'playwright-core';

const headlessShellPath = find('chromium-headless-shell');

/** The browser that people use, or the headless shell where it is the only one; undefined where PATH has neither. */
export const chromiumPath = find('chromium', 'chromium-browser') ?? headlessShellPath;

export const hasBrowser = chromiumPath !== undefined;

/** Chromium regards the last list alone, so this one repeats what Playwright disables for the sake of its own work. */
const disabledFeatures = [
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'HttpsFirstBalancedModeAutoEnable',
  'HttpsUpgrades',
  'MediaRouter',
  'NetworkTimeServiceQuerying',
  'OptimizationHints',
  'PaintHolding',
  'ThirdPartyStoragePartitioning',
  // Each window loads the popups of its address bar, and keeps a process for the next page.
  'SpareRendererForSitePerProcess',
  'WebUIOmniboxAimPopup',
  'WebUIOmniboxPopup',
];

/** The same goes for this list. The network has no process of its own, since what pages load would pass through both. */
const enabledFeatures = ['CDPScreenshotNewSurface', 'SkipListAccountsWithoutGaiaCookies', 'NetworkServiceInProcess2'];

/**
 * A browser for tests, with as little around the page as this machine has, or that of `chromiumPath` for what only a whole one
 * does. With the least number of processes a page stays in the one that it began in; pages of different contexts share none all
 * the same.
 */
export function launchForTests(executablePath = headlessShellPath ?? chromiumPath ?? 'chromium'): Promise<Browser> {
  const disabled = executablePath === headlessShellPath ? [] : [`--disable-features=${disabledFeatures.join(',')}`];
  const features = [...disabled, `--enable-features=${enabledFeatures.join(',')}`];
  return chromium.launch({ executablePath, args: ['--no-sandbox', '--renderer-process-limit=1', ...features] });
}

/** Where the PATH has the first of these programs. */
export function find(...names: string[]): string | undefined {
  return (process.env['PATH'] ?? '')
    .split(delimiter)
    .flatMap((folder) => names.map((name) => join(folder, name)))
    .find(isProgram);
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
