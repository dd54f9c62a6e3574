/** The dialogs about one thread, which open above the page and are loaded when they are opened for the first time. */
import { useEffect, useSyncExternalStore } from 'react';
import type { Thread } from '../api/types.js';
import { late } from '../ui/state/late-component.js';
import { Store } from '../ui/state/store.js';

const dialogs = {
  delete: late(() => import('./delete-dialog.js')),
  instructions: late(() => import('./instructions-dialog.js')),
  tags: late(() => import('./tags/tags-dialog.js')),
};

interface DialogState {
  thread: Thread | null;
  kind: keyof typeof dialogs;
  /** What the last dialog has done, for screen readers. */
  done: string;
}

class OpenDialog extends Store<DialogState> {
  constructor() {
    super({ thread: null, kind: 'instructions', done: '' });
  }

  readonly open = (kind: keyof typeof dialogs, thread: Thread): void => this.set({ thread, kind, done: '' });

  readonly close = (): void => this.set({ thread: null });

  readonly closeDone = (done: string): void => this.set({ thread: null, done });
}

const dialog = new OpenDialog();

export const openThreadDialog = dialog.open;

export function ThreadDialog() {
  const { thread, kind, done } = useSyncExternalStore(dialog.subscribe, dialog.getState);
  useEffect(() => {
    // Whoever goes back has left the thread that it is about.
    addEventListener('popstate', dialog.close);
    return () => removeEventListener('popstate', dialog.close);
  }, []);
  const Shown = dialogs[kind];
  return (
    <>
      <p role="status" className="visually-hidden">
        {done}
      </p>
      {thread && <Shown thread={thread} onClose={dialog.close} onDone={dialog.closeDone} />}
    </>
  );
}
