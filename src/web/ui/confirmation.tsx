/**
 * Asks for confirmation of something that cannot be undone. If the service refuses, the dialog stays open and shows the
 * reason.
 */
import type { ReactNode } from 'react';
import { useTexts } from '../language/texts.js';
import { Button } from './button.js';
import { commonTexts } from './common-buttons.js';
import { Dialog } from './dialog.js';
import { Problem } from './problem.js';
import { useOnce } from './state/use-once.js';
import { useProblem } from './state/use-problem.js';

export interface ConfirmationProps {
  title: string;
  /** The label of the button that leaves everything as it is; by default "Cancel". */
  keep?: string;
  confirm: string;
  /** Runs the action. Returns null on success, else the message to show. */
  run: () => Promise<string | null>;
  onClose: () => void;
  /** What gets the focus once it is closed; by default what opened it. */
  finalFocus?: () => HTMLElement | boolean;
  /** The explanation. */
  children: ReactNode;
}

export function Confirmation({ title, keep, confirm, run, onClose, finalFocus, children }: ConfirmationProps) {
  const { cancel } = useTexts(commonTexts);
  const [problem, setProblem] = useProblem();
  const { isRunning, once } = useOnce();
  // While it runs nothing closes the dialog, so that a refusal is seen.
  const close = () => !isRunning && onClose();
  return (
    <Dialog title={title} onClose={close} finalFocus={finalFocus}>
      {children}
      <Problem message={problem} />
      <div className="buttons buttons-end">
        <Button variant="quiet" aria-disabled={isRunning} onClick={close}>
          {keep ?? cancel}
        </Button>
        <Button variant="danger" aria-disabled={isRunning} onClick={() => once(async () => setProblem(await run()))}>
          {confirm}
        </Button>
      </div>
    </Dialog>
  );
}
