/** The menu items of a thread, for its owner. */
import Archive from 'lucide-react/icons/archive';
import Lock from 'lucide-react/icons/lock';
import Pencil from 'lucide-react/icons/pencil';
import Users from 'lucide-react/icons/users';
import type { Thread } from '../api/types.js';
import type { MenuItem } from '../ui/menu-item.js';
import type { ThreadActions } from './use-thread-actions.js';

export function threadMenu(thread: Thread, actions: ThreadActions, startRename: () => void): MenuItem[] {
  const { archived, isPrivate } = thread;
  return [
    { icon: Pencil, label: 'Rename', run: startRename },
    {
      icon: isPrivate ? Users : Lock,
      label: isPrivate ? 'Share with the team' : 'Make private',
      run: () => void actions.setPrivate(!isPrivate),
    },
    {
      icon: Archive,
      label: archived ? 'Unarchive' : 'Archive',
      run: () => void actions.setArchived(!archived),
    },
  ];
}
