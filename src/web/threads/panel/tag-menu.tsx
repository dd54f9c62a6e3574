/** Chooses the tag whose threads alone the list shows. What names the tags is loaded when it is used. */
import Tag from 'lucide-react/icons/tag';
import { defineTexts, useTexts } from '../../language/texts.js';
import { Menu } from '../../ui/menu.js';
import { loadOnApproach } from '../../ui/state/late-component.js';
import type { TagMenuProps } from './tag-menu-popup.js';

const texts = defineTexts('threads/panel/tag-menu', { filter: 'Filter by tag' });

const { Component: TagMenuPopup, approaching } = loadOnApproach(() => import('./tag-menu-popup.js'));

export function TagMenu(props: TagMenuProps) {
  return (
    <Menu label={useTexts(texts).filter} icon={Tag} small approaching={approaching}>
      {(frame) => <TagMenuPopup {...frame} {...props} />}
    </Menu>
  );
}
