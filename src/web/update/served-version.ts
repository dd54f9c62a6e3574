/**
 * Whether the service still has the files of this page. An upgrade replaces all of them, so that what the page has not loaded
 * by then is gone. The page of the service names its first script, whose name is that of a version.
 */
import { onReconnect } from '../api/connection-state.js';
import { Store } from '../ui/state/store.js';

/** Why the page should be loaded again. */
export type Outdated = 'updated' | 'incomplete';

const firstScript = /<script type="module"[^>]* src="(\/assets\/[^"]+)"/;
/** `importWithRetry` repeats a failed import after two seconds. What fails at once was one failure. */
const repetitionMs = { least: 1000, most: 10_000 };

class ServedVersion extends Store<{ outdated: Outdated | null }> {
  #isAsking = false;
  #failedAtMs = Number.NEGATIVE_INFINITY;

  constructor() {
    super({ outdated: null });
  }

  /** Asks whenever a part of the page does not load, and when the service may have been restarted. */
  watch(): void {
    addEventListener('vite:preloadError', () => void this.#ask({ isFailure: true }));
    onReconnect(() => void this.#ask({ isFailure: false }));
  }

  async #ask({ isFailure }: { isFailure: boolean }): Promise<void> {
    if (this.#isAsking || this.getState().outdated) return;
    this.#isAsking = true;
    const script = await servedScript();
    this.#isAsking = false;
    // Without a service, nothing else has to explain a failure.
    if (script === null) return;
    if (script !== ownScript) this.set({ outdated: 'updated' });
    else if (isFailure && this.#isRepeated()) this.set({ outdated: 'incomplete' });
  }

  #isRepeated(): boolean {
    const sinceMs = performance.now() - this.#failedAtMs;
    if (sinceMs > repetitionMs.most) this.#failedAtMs = performance.now();
    return sinceMs >= repetitionMs.least && sinceMs <= repetitionMs.most;
  }
}

export const servedVersion = new ServedVersion();

/** The script of this page; undefined during development, which has no versions. */
const ownScript = firstScript.exec(document.querySelector('script[type=module]')?.outerHTML ?? '')?.[1];

/** The script of the page that the service has now; null if the service does not respond, or responds with another page. */
async function servedScript(): Promise<string | null> {
  try {
    const response = await fetch('/', { headers: { accept: 'text/html' }, cache: 'no-cache' });
    return (response.ok && firstScript.exec(await response.text())?.[1]) || null;
  } catch {
    return null;
  }
}
