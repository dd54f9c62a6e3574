/** Asks for a comment on a thumb down. */
import { useState } from 'react';
import type { Feedback } from '../../api/types.js';
import { defineTexts, useTexts } from '../../language/texts.js';
import { Button } from '../../ui/button.js';
import { Dialog } from '../../ui/dialog.js';
import { Form } from '../../ui/field.js';
import { Problem } from '../../ui/problem.js';
import { TextArea } from '../../ui/text-area.js';
import { tooLong } from '../../ui/too-long.js';

const texts = defineTexts('conversation/messages/feedback-comment', {
  title: 'What was wrong?',
  hint: 'Your rating is saved. A comment helps improve the assistant. Administrators of your organization can read both, except in private threads.',
  comment: 'Comment',
  skip: 'Skip',
  save: 'Save comment',
});

export interface FeedbackCommentProps {
  feedback: Feedback;
  problem: string | null;
  onClose: () => void;
  onSave: (text: string | null) => void;
}

export default function FeedbackComment({ feedback, problem, onClose, onSave }: FeedbackCommentProps) {
  const t = useTexts(texts);
  const [text, setText] = useState(feedback.text ?? '');
  const excess = tooLong(text, 'feedback');
  return (
    <Dialog title={t.title} onClose={onClose}>
      <Form className="dialog-body" onSend={() => excess === null && onSave(text.trim() || null)}>
        <p className="field-hint">{t.hint}</p>
        <TextArea
          className="input"
          rows={4}
          aria-label={t.comment}
          value={text}
          onChange={({ target }) => setText(target.value)}
        />
        <Problem message={excess ?? problem} />
        <div className="buttons buttons-end">
          <Button variant="quiet" onClick={onClose}>
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
