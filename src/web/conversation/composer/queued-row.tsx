/** The message that waits for the end of the answer. It can be taken back, or sent at once. */
import Clock from 'lucide-react/icons/clock';
import { defineTexts, useTexts } from '../../language/texts.js';
import { Button } from '../../ui/button.js';
import type { QueuedMessage } from './queued-messages.js';

export const queuedTexts = defineTexts('conversation/composer/queued-row', {
  queued: 'Queued message',
  later: 'Will be sent when the answer ends',
  hint: 'Edit (↑ in an empty field)',
  edit: 'Edit',
  interrupt: 'Interrupt and send',
});

export interface QueuedRowProps {
  message: QueuedMessage;
  onEdit: () => void;
  onInterrupt: () => void;
}

export function QueuedRow({ message: { text, files }, onEdit, onInterrupt }: QueuedRowProps) {
  const t = useTexts(queuedTexts);
  return (
    <section className="queued" aria-label={t.queued}>
      <p className="quiet-line queued-title" role="status">
        <Clock />
        {t.later}
      </p>
      <p className="queued-text" dir="auto">
        {[text.trim(), ...files.map(({ name }) => name)].filter(Boolean).join('\n')}
      </p>
      <div className="buttons">
        <Button title={t.hint} onClick={onEdit}>
          {t.edit}
        </Button>
        <Button onClick={onInterrupt}>{t.interrupt}</Button>
      </div>
    </section>
  );
}
