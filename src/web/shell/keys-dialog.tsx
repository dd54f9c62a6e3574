/** Shows the keys of the application. */
import { useRef } from 'react';
import { defineTexts, useTexts } from '../language/texts.js';
import { CloseButton } from '../ui/common-buttons.js';
import { Dialog } from '../ui/dialog.js';
import { keys } from './keys.js';
import './keys-dialog.css';

const texts = defineTexts('shell/keys-dialog', {
  title: 'Keys',
  hint: 'In a text field no letter, digit or sign is a shortcut without Ctrl or ⌘.',
});

export default function KeysDialog({ onClose }: { onClose: () => void }) {
  const t = useTexts(texts);
  const list = useRef<HTMLDListElement>(null);
  // The button at the end would scroll a low window there.
  const dialog = () => list.current?.closest<HTMLElement>('[role=dialog]') ?? true;
  return (
    <Dialog title={t.title} onClose={onClose} initialFocus={dialog}>
      <dl ref={list} className="keys">
        {keys().map(({ keys: names, action }) => (
          <div key={names}>
            <dt>
              <kbd>{names}</kbd>
            </dt>
            <dd>{action}</dd>
          </div>
        ))}
      </dl>
      <p className="field-hint">{t.hint}</p>
      <div className="buttons buttons-end">
        <CloseButton onClick={onClose} />
      </div>
    </Dialog>
  );
}
