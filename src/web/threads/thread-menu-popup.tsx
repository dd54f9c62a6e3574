/** The menu of a thread: for its owner all items, for others those that change nothing, and for administrators deletion. */
import Archive from 'lucide-react/icons/archive';
import Download from 'lucide-react/icons/download';
import Lock from 'lucide-react/icons/lock';
import NotebookPen from 'lucide-react/icons/notebook-pen';
import Pencil from 'lucide-react/icons/pencil';
import Pin from 'lucide-react/icons/pin';
import PinOff from 'lucide-react/icons/pin-off';
import SquareCheck from 'lucide-react/icons/square-check';
import Tag from 'lucide-react/icons/tag';
import Trash from 'lucide-react/icons/trash-2';
import Users from 'lucide-react/icons/users';
import { useState } from 'react';
import type { Thread } from '../api/types.js';
import { defineTexts, useTexts } from '../language/texts.js';
import { useViewer } from '../sign-in/session.js';
import type { MenuFrame, MenuItem } from '../ui/menu.js';
import { MenuPopup } from '../ui/menu-popup.js';
import { openDialog } from '../ui/page/open-dialog.js';
import { late } from '../ui/state/late-component.js';
import type { ThreadActions } from './use-thread-actions.js';

const texts = defineTexts('threads/thread-menu-popup', {
  rename: 'Rename',
  tags: 'Tags',
  share: 'Share with the team',
  hide: 'Make private',
  archive: 'Archive',
  unarchive: 'Unarchive',
  delete: 'Delete',
  select: 'Select',
  pin: 'Pin',
  unpin: 'Unpin',
  instructions: 'Instructions',
  markdown: 'Download as Markdown',
  json: 'Download as JSON',
});

const dialogs = {
  delete: late(() => import('./delete-dialog.js')),
  instructions: late(() => import('./instructions-dialog.js')),
  tags: late(() => import('./tags/tags-dialog.js')),
};

export interface ThreadMenuItems {
  thread: Thread;
  actions: ThreadActions;
  /** Undefined if the thread is not the viewer's, who then cannot change it. */
  startRename: (() => void) | undefined;
  /** Selects the thread, where several can be selected. */
  choose?: () => void;
}

export default function ThreadMenuPopup({
  thread: now,
  actions,
  startRename,
  choose,
  ...frame
}: ThreadMenuItems & MenuFrame) {
  const t = useTexts(texts);
  // An item that became its opposite under the pointer, since somebody changed the thread elsewhere, would share what it was to hide.
  const [thread] = useState(now);
  const { archived, isPrivate, isPinned } = thread;
  const isMine = startRename !== undefined;
  const isAdministrator = useViewer().role === 'ADMIN';
  const { setPinned, setPrivate, setArchived, download } = actions;
  const items: (MenuItem | false | undefined)[] = [
    isMine && { icon: Pencil, label: t.rename, run: startRename },
    { icon: isPinned ? PinOff : Pin, label: isPinned ? t.unpin : t.pin, run: () => void setPinned(!isPinned) },
    isMine && choose && { icon: SquareCheck, label: t.select, run: choose },
    isMine && { icon: Tag, label: t.tags, run: () => openThreadDialog('tags', thread) },
    { icon: NotebookPen, label: t.instructions, run: () => openThreadDialog('instructions', thread) },
    isMine && {
      icon: isPrivate ? Users : Lock,
      label: isPrivate ? t.share : t.hide,
      run: () => void setPrivate(!isPrivate),
    },
    { icon: Download, label: t.markdown, run: () => void download('markdown') },
    { icon: Download, label: t.json, run: () => void download('json') },
    isMine && {
      icon: Archive,
      label: archived ? t.unarchive : t.archive,
      run: () => void setArchived(!archived),
    },
    (isMine || isAdministrator) && { icon: Trash, label: t.delete, run: () => openThreadDialog('delete', thread) },
  ];
  return <MenuPopup {...frame} items={items.filter((item) => !!item)} />;
}

function openThreadDialog(kind: keyof typeof dialogs, thread: Thread): void {
  const Shown = dialogs[kind];
  openDialog.open(<Shown thread={thread} onClose={openDialog.close} onDone={openDialog.closeDone} />);
}
