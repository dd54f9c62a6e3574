/** Shows the keys of the application. */
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
  return (
    <Dialog title={t.title} onClose={onClose}>
      <dl className="keys">
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
