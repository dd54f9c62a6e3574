/** Thumbs up and down. The rating is saved at once; a comment can be added to it. */
import ThumbsDown from 'lucide-react/icons/thumbs-down';
import ThumbsUp from 'lucide-react/icons/thumbs-up';
import { Suspense, useState } from 'react';
import { IconButton } from '../../ui/button.js';
import { Problem } from '../../ui/field.js';
import { loadOnApproach } from '../../ui/state/load-on-approach.js';
import { type RatingOptions, useRating } from './use-rating.js';

const { Component: FeedbackComment, approaching } = loadOnApproach(() => import('./feedback-comment.js'));

export function FeedbackButtons(options: RatingOptions) {
  const [isCommenting, setCommenting] = useState(false);
  const { rate, problem } = useRating(options);
  const given = options.message.myFeedback;
  const thumb = (positive: boolean) => ({
    small: true,
    'aria-pressed': given?.positive === positive,
    ...approaching,
    onClick: () => {
      void rate({ positive, text: given?.positive === positive ? given.text : null });
      setCommenting(true);
    },
  });
  return (
    <>
      <IconButton icon={ThumbsUp} label="Good answer" {...thumb(true)} />
      <IconButton icon={ThumbsDown} label="Bad answer" {...thumb(false)} />
      {isCommenting && given && (
        <Suspense fallback={null}>
          <FeedbackComment
            feedback={given}
            problem={problem}
            onClose={() => setCommenting(false)}
            onSave={async (text) => (await rate({ positive: given.positive, text })) && setCommenting(false)}
          />
        </Suspense>
      )}
      {problem && !(isCommenting && given) && <Problem message={problem} />}
    </>
  );
}
