/** The dialog above the page. It is no part of what opened it, which may disappear meanwhile: a row, or the whole page. */
import { type ReactNode, useEffect, useSyncExternalStore } from 'react';
import { Store } from '../state/store.js';

class OpenDialog extends Store<{
  shown: ReactNode;
  /** What the last dialog has done, for screen readers. */
  done: string;
}> {
  constructor() {
    super({ shown: null, done: '' });
  }

  readonly open = (shown: ReactNode): void => this.set({ shown, done: '' });

  readonly close = (): void => this.set({ shown: null });

  readonly closeDone = (done: string): void => this.set({ shown: null, done });
}

export const openDialog = new OpenDialog();

export function OpenDialogView() {
  const { shown, done } = useSyncExternalStore(openDialog.subscribe, openDialog.getState);
  useEffect(() => {
    // Whoever goes back has left what it is about.
    addEventListener('popstate', openDialog.close);
    return () => removeEventListener('popstate', openDialog.close);
  }, []);
  return (
    <>
      <p role="status" className="visually-hidden">
        {done}
      </p>
      {shown}
    </>
  );
}
