import type { Person, TestService } from '../../support/service.js';

/** A message of the user and the one that answers it. */
export interface AnsweredMessage {
  threadId: string;
  questionId: string;
  answerId: string;
}

/** A new thread of the person, with its first answer. */
export async function answeredMessage({ rest }: Person, isPrivate = false): Promise<AnsweredMessage> {
  const { threadId, messageId: questionId } = await rest.createThread({
    text: 'Hi',
    name: 'Tea',
    is_private: isPrivate,
  });
  const [answer] = await rest.answer({ threadId, messageId: questionId });
  return { threadId, questionId, answerId: String(answer?.id) };
}

export function feedbackPath(threadId: string, messageId: string): string {
  return `/threads/${threadId}/messages/${messageId}/feedback`;
}

/** The stored ratings of a message, the first one first. */
export function ratingsOf({ service: { database } }: TestService, messageId: string) {
  const select = { userId: true, positive: true, text: true };
  return database.feedback.findMany({ where: { messageId }, select, orderBy: { createdAt: 'asc' } });
}
