/** Chooses the colleague whose threads alone the list shows. Whatever names them is loaded when it is used. */
import User from 'lucide-react/icons/user';
import { defineTexts, useTexts } from '../../language/texts.js';
import { Menu } from '../../ui/menu.js';
import { loadOnApproach } from '../../ui/state/load-on-approach.js';
import type { PersonMenuProps } from './colleagues.js';

const texts = defineTexts('threads/panel/person-menu', { filter: 'Filter by person' });

const { Component: PersonMenuPopup, approaching } = loadOnApproach(() => import('./person-menu-popup.js'));

export function PersonMenu(props: PersonMenuProps) {
  return (
    <Menu label={useTexts(texts).filter} icon={User} small approaching={approaching}>
      {(frame) => <PersonMenuPopup {...frame} {...props} />}
    </Menu>
  );
}
