/**
 * The rating of an answer, shown before the service has accepted it. Ratings are sent one after the other, so that the last
 * one wins. When that one is refused, the stored rating is shown again.
 */
import { useRef } from 'react';
import { runMutation } from '../../api/client.js';
import { feedbackMutation, withdrawFeedbackMutation } from '../../api/posting-documents.js';
import type { Feedback, Message } from '../../api/types.js';
import { useProblem } from '../../ui/state/use-problem.js';

export interface RatingOptions {
  threadId: string;
  message: Message;
  onRated: (messageId: string, myFeedback: Feedback | null) => void;
}

export interface Rating {
  /** Rates the answer, or withdraws the rating. Resolves to whether that was accepted. */
  rate: (feedback: Feedback | null) => Promise<boolean>;
  problem: string | null;
}

export function useRating({ threadId, message: { id, myFeedback }, onRated }: RatingOptions): Rating {
  const [problem, setProblem] = useProblem();
  const underWay = useRef({ count: 0, stored: myFeedback, last: Promise.resolve() });
  const rate = async (feedback: Feedback | null) => {
    const now = underWay.current;
    if (now.count === 0) now.stored = myFeedback;
    now.count += 1;
    onRated(id, feedback);
    const input = { threadId, messageId: id };
    const request = now.last.then(async () =>
      feedback
        ? runMutation(feedbackMutation, { input: { ...input, ...feedback } })
        : runMutation(withdrawFeedbackMutation, { input }),
    );
    now.last = request.then(() => undefined);
    const outcome = await request;
    now.count -= 1;
    if (outcome.ok) now.stored = feedback;
    else if (now.count === 0) onRated(id, now.stored);
    setProblem(outcome.ok ? null : outcome.message);
    return outcome.ok;
  };
  return { rate, problem };
}
