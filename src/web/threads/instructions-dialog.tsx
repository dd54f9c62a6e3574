/**
 * What the assistant is told for one thread: its owner changes it, and the others who can read the thread can read it. Like an
 * edited message, what was written stays in this browser: Escape closes the dialog and keeps it, and Cancel discards it.
 */
import { useEffect, useId, useRef } from 'react';
import { runMutation } from '../api/client.js';
import { instructionsMutation, instructionsQuery } from '../api/late/instructions-documents.js';
import type { Thread } from '../api/types.js';
import { useQuery } from '../api/use-query.js';
import { useEditedText } from '../conversation/composer/use-edited-text.js';
import { defineTexts, useTexts } from '../language/texts.js';
import { useViewer } from '../sign-in/session.js';
import { Button } from '../ui/button.js';
import { CancelButton, CloseButton } from '../ui/common-buttons.js';
import { Dialog } from '../ui/dialog.js';
import { Form } from '../ui/field.js';
import { Problem } from '../ui/problem.js';
import { useOnce } from '../ui/state/use-once.js';
import { useProblem } from '../ui/state/use-problem.js';
import { TextArea } from '../ui/text-area.js';
import { tooLong } from '../ui/too-long.js';
import './instructions-dialog.css';

const texts = defineTexts('threads/instructions-dialog', {
  title: 'Instructions for the assistant',
  loading: 'Loading the instructions…',
  none: 'The owner of this thread has given the assistant no instructions.',
  hint: 'The assistant follows them in its next answers in this thread. Everyone who can read the thread can read them.',
  instructions: 'Instructions',
  example: 'For example: Answer briefly, in British English.',
  save: 'Save instructions',
});

export interface InstructionsDialogProps {
  thread: Thread;
  onClose: () => void;
}

export default function InstructionsDialog({ thread, onClose }: InstructionsDialogProps) {
  const t = useTexts(texts);
  const isMine = thread.owner.id === useViewer().sub;
  const { found, problem, isLoading } = useQuery(instructionsQuery, { id: thread.id });
  const stored = found?.thread.instructions;
  return (
    <Dialog title={t.title} onClose={onClose} isDismissible={!isMine}>
      {stored !== undefined && isMine && <InstructionsForm id={thread.id} stored={stored} onClose={onClose} />}
      {stored !== undefined && !isMine && <Instructions stored={stored} />}
      {isLoading && <p role="status">{t.loading}</p>}
      <Problem message={problem} />
      {(stored === undefined || !isMine) && (
        <div className="buttons buttons-end">
          <CloseButton onClick={onClose} />
        </div>
      )}
    </Dialog>
  );
}

function Instructions({ stored }: { stored: string | null }) {
  const { none } = useTexts(texts);
  if (stored === null) return <p>{none}</p>;
  return (
    <p className="instructions" dir="auto">
      {stored}
    </p>
  );
}

interface InstructionsFormProps {
  id: string;
  stored: string | null;
  onClose: () => void;
}

function InstructionsForm({ id, stored, onClose }: InstructionsFormProps) {
  const t = useTexts(texts);
  const { text, write, discard } = useEditedText(`${id}.instructions`, stored ?? '');
  const [problem, setProblem] = useProblem();
  const { isRunning, once } = useOnce();
  const excess = tooLong(text, 'instructions');
  const hint = useId();
  const field = useRef<HTMLTextAreaElement>(null);
  // The button that closes the dialog has the focus until the instructions are loaded, and is gone then.
  useEffect(() => field.current?.focus(), []);
  const close = () => {
    discard();
    onClose();
  };
  const save = async () => {
    const instructions = text.trim() === '' ? null : text;
    const outcome = await runMutation(instructionsMutation, { id, instructions });
    if (outcome.ok) close();
    else setProblem(outcome.message);
  };
  return (
    <Form className="dialog-body" onSend={() => excess === null && once(save)}>
      <p className="field-hint" id={hint}>
        {t.hint}
      </p>
      <TextArea
        ref={field}
        className="input"
        rows={8}
        aria-label={t.instructions}
        aria-describedby={hint}
        placeholder={t.example}
        value={text}
        onChange={({ target }) => write(target.value)}
      />
      <Problem message={excess ?? problem} />
      <div className="buttons buttons-end">
        <CancelButton variant="quiet" onClick={close} />
        <Button variant="primary" type="submit" aria-disabled={isRunning || excess !== null}>
          {t.save}
        </Button>
      </div>
    </Form>
  );
}
