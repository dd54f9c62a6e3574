/**
 * The rating of an answer, shown before the service has accepted it. Ratings are sent one after the other, so that the last
 * one wins. When that one is refused, the stored rating is shown again.
 */
import { useRef } from 'react';
import { runMutation } from '../../api/client.js';
import { feedbackMutation, withdrawFeedbackMutation } from '../../api/posting-documents.js';
import type { Feedback, Message } from '../../api/types.js';
import type { ConversationStore } from '../store/conversation-store.js';

/** Rates the answer, or withdraws the rating. Resolves to why that was refused; null if it was accepted. */
type Rate = (feedback: Feedback | null) => Promise<string | null>;

export function useRating({ threadId, dispatch }: ConversationStore, { id: messageId, myFeedback }: Message): Rate {
  const underWay = useRef({ count: 0, stored: myFeedback, last: Promise.resolve() });
  const show = (feedback: Feedback | null) => dispatch({ type: 'rated', messageId, myFeedback: feedback });
  return async (feedback) => {
    const now = underWay.current;
    if (now.count === 0) now.stored = myFeedback;
    now.count += 1;
    show(feedback);
    const input = { threadId, messageId };
    const request = now.last.then(async () =>
      feedback
        ? runMutation(feedbackMutation, { input: { ...input, ...feedback } })
        : runMutation(withdrawFeedbackMutation, { input }),
    );
    now.last = request.then(() => undefined);
    const outcome = await request;
    now.count -= 1;
    if (outcome.ok) now.stored = feedback;
    else if (now.count === 0) show(now.stored);
    return outcome.ok ? null : outcome.message;
  };
}
