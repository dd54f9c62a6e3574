/**
 * Loads an outdated page again as soon as nothing would be lost. That is done once for each version: if the page is the same
 * afterwards, only the person knows what to do.
 */
import { isPageHeld } from '../api/page-holds.js';
import { isPageServed, ownScript } from './served-version.js';
import { hasTypedText } from './typed-text.js';

/** Scripts whose page has loaded itself again, in this tab. */
const key = 'skein.reloaded';
/** Long enough to read why. */
const noticeMs = 3000;

export function hasReloaded(): boolean {
  return past().includes(String(ownScript));
}

/** Returns a function that gives up. */
export function reloadWhenSafe(): () => void {
  const timer = setInterval(() => void reload(), noticeMs);
  return () => clearInterval(timer);
}

async function reload(): Promise<void> {
  // A page that works in part is better than none.
  if (wouldLose() || !(await isPageServed()) || wouldLose()) return;
  sessionStorage.setItem(key, JSON.stringify([...past(), String(ownScript)]));
  location.reload();
}

function wouldLose(): boolean {
  return isPageHeld() || hasTypedText();
}

function past(): string[] {
  return JSON.parse(sessionStorage.getItem(key) ?? '[]');
}
