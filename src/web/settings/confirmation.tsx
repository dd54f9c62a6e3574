/** Asks once more before something that cannot be taken back. It stays open, with the reason, where the service refuses. */
import { type ReactNode, useState } from 'react';
import { Button } from '../ui/button.js';
import { Dialog } from '../ui/dialog.js';
import { Problem } from '../ui/field.js';

export interface ConfirmationProps {
  title: string;
  /** The words of the two buttons. */
  keep: string;
  confirm: string;
  /** Does it. Null where it worked, else what to tell. */
  run: () => Promise<string | null>;
  onClose: () => void;
  /** What it means. */
  children: ReactNode;
}

export function Confirmation({ title, keep, confirm, run, onClose, children }: ConfirmationProps) {
  const [problem, setProblem] = useState<string | null>(null);
  const [isSending, setSending] = useState(false);
  const send = async () => {
    if (isSending) return;
    setSending(true);
    setProblem(await run());
    setSending(false);
  };
  return (
    <Dialog title={title} onClose={onClose}>
      {children}
      <Problem message={problem} />
      <div className="dialog-actions">
        <Button variant="quiet" onClick={onClose}>
          {keep}
        </Button>
        {/* A button that is disabled would lose the focus. */}
        <Button variant="danger" aria-disabled={isSending} onClick={() => void send()}>
          {confirm}
        </Button>
      </div>
    </Dialog>
  );
}
