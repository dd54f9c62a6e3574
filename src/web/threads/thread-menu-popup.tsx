/** The menu of a thread: for its owner all items, for others those that change nothing. */
import Archive from 'lucide-react/icons/archive';
import Download from 'lucide-react/icons/download';
import Lock from 'lucide-react/icons/lock';
import NotebookPen from 'lucide-react/icons/notebook-pen';
import Pencil from 'lucide-react/icons/pencil';
import Pin from 'lucide-react/icons/pin';
import PinOff from 'lucide-react/icons/pin-off';
import SquareCheck from 'lucide-react/icons/square-check';
import Tag from 'lucide-react/icons/tag';
import Users from 'lucide-react/icons/users';
import type { Thread } from '../api/types.js';
import type { MenuFrame, MenuItem } from '../ui/menu-item.js';
import { MenuPopup } from '../ui/menu-popup.js';
import { openThreadDialog } from './thread-dialog.js';
import type { ThreadActions } from './use-thread-actions.js';

export interface ThreadMenuItems {
  thread: Thread;
  actions: ThreadActions;
  /** Undefined if the thread is not the viewer's, who then cannot change it. */
  startRename: (() => void) | undefined;
  /** Selects the thread, where several can be selected. */
  choose?: () => void;
}

export default function ThreadMenuPopup({
  thread,
  actions,
  startRename,
  choose,
  ...frame
}: ThreadMenuItems & MenuFrame) {
  const items = startRename ? ownerItems(thread, { actions, startRename, choose }) : readerItems(thread, actions);
  return <MenuPopup {...frame} items={items} />;
}

type OwnerCalls = { actions: ThreadActions; startRename: () => void; choose: (() => void) | undefined };

function ownerItems(thread: Thread, { actions, startRename, choose }: OwnerCalls): MenuItem[] {
  const { archived, isPrivate } = thread;
  return [
    { icon: Pencil, label: 'Rename', run: startRename },
    pinItem(thread, actions),
    ...selectItem(choose),
    { icon: Tag, label: 'Tags', run: () => openThreadDialog('tags', thread) },
    instructionsItem(thread),
    {
      icon: isPrivate ? Users : Lock,
      label: isPrivate ? 'Share with the team' : 'Make private',
      run: () => void actions.setPrivate(!isPrivate),
    },
    ...downloadItems(actions),
    {
      icon: Archive,
      label: archived ? 'Unarchive' : 'Archive',
      run: () => void actions.setArchived(!archived),
    },
  ];
}

function readerItems(thread: Thread, actions: ThreadActions): MenuItem[] {
  return [pinItem(thread, actions), instructionsItem(thread), ...downloadItems(actions)];
}

function selectItem(choose: (() => void) | undefined): MenuItem[] {
  return choose ? [{ icon: SquareCheck, label: 'Select', run: choose }] : [];
}

function pinItem({ isPinned }: Thread, actions: ThreadActions): MenuItem {
  const run = () => void actions.setPinned(!isPinned);
  return isPinned ? { icon: PinOff, label: 'Unpin', run } : { icon: Pin, label: 'Pin', run };
}

function instructionsItem(thread: Thread): MenuItem {
  return { icon: NotebookPen, label: 'Instructions', run: () => openThreadDialog('instructions', thread) };
}

function downloadItems({ download }: ThreadActions): MenuItem[] {
  return [
    { icon: Download, label: 'Download as Markdown', run: () => void download('markdown') },
    { icon: Download, label: 'Download as JSON', run: () => void download('json') },
  ];
}
