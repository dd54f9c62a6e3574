/** The button of the menu of a thread. Its items and their icons are loaded with the menu. */
import Ellipsis from 'lucide-react/icons/ellipsis';
import { Menu } from '../ui/menu.js';
import { loadOnApproach } from '../ui/state/late-component.js';
import type { ThreadMenuItems } from './thread-menu-popup.js';

const { Component: ThreadMenuPopup, approaching } = loadOnApproach(() => import('./thread-menu-popup.js'));

export interface ThreadMenuProps extends ThreadMenuItems {
  label: string;
  small?: boolean;
}

export function ThreadMenu({ label, small = false, ...items }: ThreadMenuProps) {
  return (
    <Menu label={label} icon={Ellipsis} small={small} approaching={approaching}>
      {(frame) => <ThreadMenuPopup {...frame} {...items} />}
    </Menu>
  );
}
