/** Asks for a comment on a thumb down. Escape keeps what was written for the next time, and Skip discards it. */
import { defineTexts, useTexts } from '../../language/texts.js';
import { Button } from '../../ui/button.js';
import { Dialog } from '../../ui/dialog.js';
import { Form } from '../../ui/field.js';
import { Problem } from '../../ui/problem.js';
import { useProblem } from '../../ui/state/use-problem.js';
import { TextArea } from '../../ui/text-area.js';
import { tooLong } from '../../ui/too-long.js';
import { useEditedText } from '../composer/use-edited-text.js';

const texts = defineTexts('conversation/messages/feedback-comment', {
  title: 'What was wrong?',
  hint: 'Your rating is saved. A comment helps improve the assistant. Administrators of your organization can read both, except in private threads.',
  comment: 'Comment',
  skip: 'Skip',
  save: 'Save comment',
});

export interface FeedbackCommentProps {
  /** Identifies the draft. */
  place: string;
  stored: string | null;
  onClose: () => void;
  /** Resolves to why it was not saved; null if it was. */
  onSave: (text: string | null) => Promise<string | null>;
}

export default function FeedbackComment({ place, stored, onClose, onSave }: FeedbackCommentProps) {
  const t = useTexts(texts);
  const { text, write, discard } = useEditedText(place, stored ?? '');
  const [problem, setProblem] = useProblem();
  const excess = tooLong(text, 'feedback');
  const close = () => {
    discard();
    onClose();
  };
  const save = async () => {
    if (excess !== null) return;
    const refused = await onSave(text.trim() || null);
    if (refused === null) close();
    else setProblem(refused);
  };
  return (
    <Dialog title={t.title} onClose={onClose}>
      <Form className="dialog-body" onSend={() => void save()}>
        <p className="field-hint">{t.hint}</p>
        <TextArea
          className="input"
          rows={4}
          aria-label={t.comment}
          value={text}
          onChange={({ target }) => write(target.value)}
        />
        <Problem message={excess ?? problem} />
        <div className="buttons buttons-end">
          <Button variant="quiet" onClick={close}>
            {t.skip}
          </Button>
          <Button variant="primary" type="submit" aria-disabled={excess !== null}>
            {t.save}
          </Button>
        </div>
      </Form>
    </Dialog>
  );
}
