/** The message that waits for the end of the answer. It can be taken back, or sent at once. */
import Clock from 'lucide-react/icons/clock';
import { Button } from '../../ui/button.js';
import type { QueuedMessage } from './queued-messages.js';

export interface QueuedRowProps {
  message: QueuedMessage;
  onEdit: () => void;
  onInterrupt: () => void;
}

export function QueuedRow({ message: { text, files }, onEdit, onInterrupt }: QueuedRowProps) {
  return (
    <section className="queued" aria-label="Queued message">
      <p className="queued-title" role="status">
        <Clock />
        Will be sent when the answer ends
      </p>
      <p className="queued-text" dir="auto">
        {[text.trim(), ...files.map(({ name }) => name)].filter(Boolean).join('\n')}
      </p>
      <div className="queued-buttons">
        <Button title="Edit (↑ in an empty field)" onClick={onEdit}>
          Edit
        </Button>
        <Button onClick={onInterrupt}>Interrupt and send</Button>
      </div>
    </section>
  );
}
