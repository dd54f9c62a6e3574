/**
 * Thumbs up and down. The rating is saved at once, and a pressed thumb withdraws it. A thumb down asks for a comment on what
 * was wrong, which can be changed as long as the rating stands.
 */
import MessageSquare from 'lucide-react/icons/message-square';
import ThumbsDown from 'lucide-react/icons/thumbs-down';
import ThumbsUp from 'lucide-react/icons/thumbs-up';
import type { Message } from '../../api/types.js';
import { defineTexts, useTexts } from '../../language/texts.js';
import { IconButton } from '../../ui/button.js';
import { openDialog } from '../../ui/page/open-dialog.js';
import { Problem } from '../../ui/problem.js';
import { loadOnApproach } from '../../ui/state/late-component.js';
import { useProblem } from '../../ui/state/use-problem.js';
import type { ConversationStore } from '../store/conversation-store.js';
import { useRating } from './use-rating.js';

const texts = defineTexts('conversation/messages/feedback-buttons', {
  good: 'Good answer',
  bad: 'Bad answer',
  add: 'Add a comment',
  edit: 'Edit your comment',
});

const { Component: FeedbackComment, approaching } = loadOnApproach(() => import('./feedback-comment.js'));

export function FeedbackButtons({ message, store }: { message: Message; store: ConversationStore }) {
  const t = useTexts(texts);
  const rate = useRating(store, message);
  const [problem, setProblem] = useProblem();
  const given = message.myFeedback;
  const comment = (text: string | null) =>
    openDialog.open(
      <FeedbackComment
        place={`${store.threadId}.comment.${message.id}`}
        stored={text}
        onClose={openDialog.close}
        onSave={(written) => rate({ positive: false, text: written })}
      />,
    );
  const thumb = (positive: boolean) => ({
    small: true,
    'aria-pressed': given?.positive === positive,
    ...approaching,
    onClick: async () => {
      const isPressed = given?.positive === positive;
      if (!positive && !isPressed) comment(null);
      const refused = await rate(isPressed ? null : { positive, text: null });
      setProblem(refused);
      // Without a rating there is nothing to comment on.
      if (refused !== null) openDialog.close();
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
          onClick={() => comment(given.text)}
        />
      )}
      <Problem message={problem} />
    </>
  );
}
