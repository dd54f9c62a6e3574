/** The dialogs about one thread, which are loaded when they are opened for the first time. */
import type { Thread } from '../api/types.js';
import { openDialog } from '../ui/page/open-dialog.js';
import { late } from '../ui/state/late-component.js';

const dialogs = {
  delete: late(() => import('./delete-dialog.js')),
  instructions: late(() => import('./instructions-dialog.js')),
  tags: late(() => import('./tags/tags-dialog.js')),
};

export function openThreadDialog(kind: keyof typeof dialogs, thread: Thread): void {
  const Shown = dialogs[kind];
  openDialog.open(<Shown thread={thread} onClose={openDialog.close} onDone={openDialog.closeDone} />);
}
