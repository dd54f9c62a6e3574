/** The dialogs about one thread, which open above the page and are loaded when they are opened for the first time. */
import { lazy, Suspense, useSyncExternalStore } from 'react';
import type { Thread } from '../api/types.js';
import { importWithRetry } from '../ui/state/import-with-retry.js';
import { Store } from '../ui/state/store.js';

const dialogs = {
  instructions: lazy(() => importWithRetry(() => import('./instructions-dialog.js'))),
  tags: lazy(() => importWithRetry(() => import('./tags/tags-dialog.js'))),
};

class OpenDialog extends Store<{ thread: Thread | null; kind: keyof typeof dialogs }> {
  constructor() {
    super({ thread: null, kind: 'instructions' });
  }

  readonly open = (kind: keyof typeof dialogs, thread: Thread): void => this.set({ thread, kind });

  readonly close = (): void => this.set({ thread: null });
}

const dialog = new OpenDialog();

export const openThreadDialog = dialog.open;

export function ThreadDialog() {
  const { thread, kind } = useSyncExternalStore(dialog.subscribe, dialog.getState);
  const Shown = dialogs[kind];
  return (
    thread && (
      <Suspense fallback={null}>
        <Shown thread={thread} onClose={dialog.close} />
      </Suspense>
    )
  );
}
