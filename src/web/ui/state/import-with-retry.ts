/**
 * Imports a module that is loaded apart from the first view. A failed import is tried again every two seconds until the network
 * is back, so the promise never rejects.
 */
const retryMs = 2000;

/** Vite requests a style sheet only once, however often the import is tried. */
const failedStyles = new Set<HTMLLinkElement>();

export async function importWithRetry<Module>(load: () => Promise<Module>): Promise<Module> {
  for (;;) {
    try {
      const module = await load();
      await Promise.all([...failedStyles].map(loadAgain));
      return module;
    } catch {
      await new Promise((resolve) => setTimeout(resolve, retryMs));
    }
  }
}

export function watchStyles(): void {
  const note = ({ target }: Event) => {
    if (target instanceof HTMLLinkElement && target.rel === 'stylesheet') failedStyles.add(target);
  };
  addEventListener('error', note, true);
}

function loadAgain(failed: HTMLLinkElement): Promise<void> {
  failedStyles.delete(failed);
  const link = failed.cloneNode() as HTMLLinkElement;
  return new Promise((resolve, reject) => {
    link.onload = () => resolve();
    link.onerror = reject;
    failed.replaceWith(link);
  });
}
