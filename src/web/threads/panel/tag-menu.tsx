/** Chooses the tag whose threads alone the list shows. What names the tags is loaded when it is used. */
import Tag from 'lucide-react/icons/tag';
import { Menu } from '../../ui/menu.js';
import { loadOnApproach } from '../../ui/state/load-on-approach.js';
import type { TagMenuProps } from './tag-menu-popup.js';

const { Component: TagMenuPopup, approaching } = loadOnApproach(() => import('./tag-menu-popup.js'));

export function TagMenu(props: TagMenuProps) {
  return (
    <Menu label="Filter by tag" icon={Tag} small approaching={approaching}>
      {(frame) => <TagMenuPopup {...frame} {...props} />}
    </Menu>
  );
}
