/**
 * Thumbs up and down. The rating is saved at once, and a pressed thumb withdraws it. A thumb down asks for a comment on what
 * was wrong, which can be changed as long as the rating stands.
 */
import MessageSquare from 'lucide-react/icons/message-square';
import ThumbsDown from 'lucide-react/icons/thumbs-down';
import ThumbsUp from 'lucide-react/icons/thumbs-up';
import { useState } from 'react';
import { defineTexts, useTexts } from '../../language/texts.js';
import { IconButton } from '../../ui/button.js';
import { Problem } from '../../ui/problem.js';
import { loadOnApproach } from '../../ui/state/load-on-approach.js';
import { type RatingOptions, useRating } from './use-rating.js';

const texts = defineTexts('conversation/messages/feedback-buttons', {
  good: 'Good answer',
  bad: 'Bad answer',
  add: 'Add a comment',
  edit: 'Edit your comment',
});

const { Component: FeedbackComment, approaching } = loadOnApproach(() => import('./feedback-comment.js'));

export function FeedbackButtons(options: RatingOptions) {
  const t = useTexts(texts);
  const [isCommenting, setCommenting] = useState(false);
  const { rate, problem } = useRating(options);
  const given = options.message.myFeedback;
  const complaint = isCommenting && given?.positive === false ? given : null;
  const thumb = (positive: boolean) => ({
    small: true,
    'aria-pressed': given?.positive === positive,
    ...approaching,
    onClick: () => {
      const isPressed = given?.positive === positive;
      void rate(isPressed ? null : { positive, text: null });
      setCommenting(!positive && !isPressed);
    },
  });
  return (
    <>
      <IconButton icon={ThumbsUp} label={t.good} {...thumb(true)} />
      <IconButton icon={ThumbsDown} label={t.bad} {...thumb(false)} />
      {given?.positive === false && (
        <IconButton
          icon={MessageSquare}
          label={given.text === null ? t.add : t.edit}
          small
          {...approaching}
          onClick={() => setCommenting(true)}
        />
      )}
      {complaint && (
        <FeedbackComment
          place={`${options.threadId}.comment.${options.message.id}`}
          feedback={complaint}
          problem={problem}
          onClose={() => setCommenting(false)}
          onSave={(text) => rate({ positive: false, text })}
        />
      )}
      {problem && !complaint && <Problem message={problem} />}
    </>
  );
}
