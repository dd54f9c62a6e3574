/** The entries of the menu of a thread, for its owner. */
import type { Thread } from '../api/types.js';
import type { MenuItem } from '../ui/menu.js';
import type { ThreadActions } from './use-thread-actions.js';

export function threadMenu(thread: Thread, actions: ThreadActions, startRename: () => void): MenuItem[] {
  const { archived, isPrivate } = thread;
  return [
    { icon: 'edit', label: 'Rename', run: startRename },
    {
      icon: isPrivate ? 'people' : 'lock',
      label: isPrivate ? 'Show to everybody' : 'Make private',
      run: () => void actions.setPrivate(!isPrivate),
    },
    {
      icon: 'archive',
      label: archived ? 'Take out of the archive' : 'Archive',
      run: () => void actions.setArchived(!archived),
    },
  ];
}
