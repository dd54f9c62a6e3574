/**
 * Imports a module that is loaded apart from the first view. A failed import is tried again every two seconds until the network
 * is back, so the promise never rejects.
 */
const retryMs = 2000;

export async function importWithRetry<Module>(load: () => Promise<Module>): Promise<Module> {
  for (;;) {
    try {
      return await load();
    } catch {
      await new Promise((resolve) => setTimeout(resolve, retryMs));
    }
  }
}
