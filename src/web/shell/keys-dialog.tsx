/** Shows the keys of the application. */
import { Button } from '../ui/button.js';
import { Dialog } from '../ui/dialog.js';
import { keys } from './keys.js';
import './keys-dialog.css';

export default function KeysDialog({ onClose }: { onClose: () => void }) {
  return (
    <Dialog title="Keys" onClose={onClose}>
      <dl className="keys">
        {keys.map(({ keys: names, action }) => (
          <div key={names}>
            <dt>
              <kbd>{names}</kbd>
            </dt>
            <dd>{action}</dd>
          </div>
        ))}
      </dl>
      <p className="field-hint">In a text field no letter, digit or sign is a shortcut without Ctrl or ⌘.</p>
      <div className="dialog-actions">
        <Button onClick={onClose}>Close</Button>
      </div>
    </Dialog>
  );
}
