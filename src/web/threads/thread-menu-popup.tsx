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
  // The items say their words in the language of now.
  useTexts(texts);
  // An item that became its opposite under the pointer, since somebody changed the thread elsewhere, would share what it was to hide.
  const [thread] = useState(now);
  const isAdministrator = useViewer().role === 'ADMIN';
  const items = startRename ? ownerItems(thread, { actions, startRename, choose }) : readerItems(thread, actions);
  return <MenuPopup {...frame} items={startRename || isAdministrator ? [...items, deletionItem(thread)] : items} />;
}

type OwnerCalls = { actions: ThreadActions; startRename: () => void; choose: (() => void) | undefined };

function ownerItems(thread: Thread, { actions, startRename, choose }: OwnerCalls): MenuItem[] {
  const t = texts.get();
  const { archived, isPrivate } = thread;
  return [
    { icon: Pencil, label: t.rename, run: startRename },
    pinItem(thread, actions),
    ...selectItem(choose),
    { icon: Tag, label: t.tags, run: () => openThreadDialog('tags', thread) },
    instructionsItem(thread),
    {
      icon: isPrivate ? Users : Lock,
      label: isPrivate ? t.share : t.hide,
      run: () => void actions.setPrivate(!isPrivate),
    },
    ...downloadItems(actions),
    {
      icon: Archive,
      label: archived ? t.unarchive : t.archive,
      run: () => void actions.setArchived(!archived),
    },
  ];
}

function readerItems(thread: Thread, actions: ThreadActions): MenuItem[] {
  return [pinItem(thread, actions), instructionsItem(thread), ...downloadItems(actions)];
}

function deletionItem(thread: Thread): MenuItem {
  return { icon: Trash, label: texts.get().delete, run: () => openThreadDialog('delete', thread) };
}

function selectItem(choose: (() => void) | undefined): MenuItem[] {
  return choose ? [{ icon: SquareCheck, label: texts.get().select, run: choose }] : [];
}

function pinItem({ isPinned }: Thread, actions: ThreadActions): MenuItem {
  const run = () => void actions.setPinned(!isPinned);
  return isPinned ? { icon: PinOff, label: texts.get().unpin, run } : { icon: Pin, label: texts.get().pin, run };
}

function instructionsItem(thread: Thread): MenuItem {
  return { icon: NotebookPen, label: texts.get().instructions, run: () => openThreadDialog('instructions', thread) };
}

function downloadItems({ download }: ThreadActions): MenuItem[] {
  return [
    { icon: Download, label: texts.get().markdown, run: () => void download('markdown') },
    { icon: Download, label: texts.get().json, run: () => void download('json') },
  ];
}

function openThreadDialog(kind: keyof typeof dialogs, thread: Thread): void {
  const Shown = dialogs[kind];
  openDialog.open(<Shown thread={thread} onClose={openDialog.close} onDone={openDialog.closeDone} />);
}
