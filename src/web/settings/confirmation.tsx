/**
 * Asks for confirmation of something that cannot be undone. If the service refuses, the dialog stays open and shows the
 * reason.
 */
import { type ReactNode, useState } from 'react';
import { Button } from '../ui/button.js';
import { Dialog } from '../ui/dialog.js';
import { Problem } from '../ui/field.js';

export interface ConfirmationProps {
  title: string;
  /** The labels of the two buttons. */
  keep: string;
  confirm: string;
  /** Runs the action. Returns null on success, else the message to show. */
  run: () => Promise<string | null>;
  onClose: () => void;
  /** The explanation. */
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
        {/* A button with `disabled` loses the focus. */}
        <Button variant="danger" aria-disabled={isSending} onClick={() => void send()}>
          {confirm}
        </Button>
      </div>
    </Dialog>
  );
}
