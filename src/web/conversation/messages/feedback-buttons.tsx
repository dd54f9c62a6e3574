/** Thumbs up and down. The rating counts at once; a comment can be added to it. */
import ThumbsDown from 'lucide-react/icons/thumbs-down';
import ThumbsUp from 'lucide-react/icons/thumbs-up';
import { type FormEvent, useState } from 'react';
import { textLimits } from '../../../contract/text-limits.js';
import type { Feedback } from '../../api/types.js';
import { Button, IconButton } from '../../ui/button.js';
import { Dialog } from '../../ui/dialog.js';
import { Problem } from '../../ui/field.js';
import { type RatingOptions, useRating } from './use-rating.js';

export function FeedbackButtons(options: RatingOptions) {
  const [isCommenting, setCommenting] = useState(false);
  const { rate, problem } = useRating(options);
  const given = options.message.myFeedback;
  const thumb = (positive: boolean) => {
    void rate({ positive, text: given?.positive === positive ? given.text : null });
    setCommenting(true);
  };
  return (
    <>
      <IconButton
        icon={ThumbsUp}
        label="Good answer"
        small
        aria-pressed={given?.positive === true}
        onClick={() => thumb(true)}
      />
      <IconButton
        icon={ThumbsDown}
        label="Bad answer"
        small
        aria-pressed={given?.positive === false}
        onClick={() => thumb(false)}
      />
      {isCommenting && given && (
        <Comment
          feedback={given}
          problem={problem}
          onClose={() => setCommenting(false)}
          onSave={async (text) => (await rate({ positive: given.positive, text })) && setCommenting(false)}
        />
      )}
      {problem && !(isCommenting && given) && <Problem message={problem} />}
    </>
  );
}

interface CommentProps {
  feedback: Feedback;
  problem: string | null;
  onClose: () => void;
  onSave: (text: string | null) => void;
}

function Comment({ feedback, problem, onClose, onSave }: CommentProps) {
  const [text, setText] = useState(feedback.text ?? '');
  const save = (event: FormEvent) => {
    event.preventDefault();
    onSave(text.trim() || null);
  };
  return (
    <Dialog title={feedback.positive ? 'What was good?' : 'What was wrong?'} onClose={onClose}>
      <form onSubmit={save} className="dialog-body">
        <p className="field-hint">Your rating is saved. A comment helps whoever looks after the assistant.</p>
        <textarea
          className="input"
          rows={4}
          maxLength={textLimits.feedback.max}
          aria-label="Comment"
          value={text}
          onChange={({ target }) => setText(target.value)}
        />
        <Problem message={problem} />
        <div className="dialog-actions">
          <Button look="quiet" onClick={onClose}>
            No comment
          </Button>
          <Button look="primary" type="submit">
            Save comment
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
