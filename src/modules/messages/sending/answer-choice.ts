/**
 * Answers a question of the assistant. The answer is an ordinary user message, sent by the same conditional statement
 * with one more condition: the thread still ends with this question and the question offers this choice. Of concurrent
 * answers the first one succeeds, and no answer follows another message.
 */
import type { Prisma, PrismaClient } from '../../../../prisma/generated/client/client.js';
import { ChoiceNotOpenError, InvalidInputError, NotFoundError, ThreadNotReadyError } from '../../../errors.js';
import type { Viewer } from '../../identity/authenticate.js';
import { unchangedSql, unlessOvertaken } from '../../threads/unchanged.js';
import { visibleTo } from '../../threads/visibility.js';
import type { ContentBlock } from '../content.js';
import type { KeyedRequest } from './idempotency.js';
import { sendMessageIf } from './post-message.js';
import type { PostedMessage } from './posted-message.js';

export interface ChoiceAnswer {
  threadId: string;
  toolUseId: string;
  choice: string;
  /** Null: the one that the thread has. */
  model?: string | null;
}

/**
 * Sends the choice. Throws a `NotFoundError` if the viewer cannot see the thread, a `ChoiceNotOpenError` if it does not
 * end with the question, an `InvalidInputError` with the choices if this is none of them, and a `ThreadNotReadyError`
 * if the thread accepts no message because it was stopped while it asked.
 */
export function answerChoice(
  database: PrismaClient,
  request: KeyedRequest,
  answer: ChoiceAnswer,
): Promise<PostedMessage> {
  const { threadId, choice, model = null } = answer;
  return unlessOvertaken(async () => {
    const onlyIf = await findOpen(database, request.viewer, answer);
    return sendMessageIf(database, request, { threadId, text: choice, model, from: ['ready'], onlyIf });
  });
}

/**
 * Checks that the thread ends with the question and accepts the choice. Returns the condition that nothing has changed since: no
 * message was added, and no other branch was selected.
 */
async function findOpen(database: PrismaClient, viewer: Viewer, answer: ChoiceAnswer): Promise<Prisma.Sql> {
  const thread = await database.thread.findFirst({
    where: { id: answer.threadId, AND: [visibleTo(viewer)] },
    select: {
      state: true,
      lastSequence: true,
      branchVersion: true,
      messages: {
        where: { active: true },
        orderBy: { sequence: 'desc' },
        take: 1,
        select: { role: true, contents: true },
      },
    },
  });
  if (!thread) throw new NotFoundError('thread');
  const question = thread.messages
    .filter(({ role }) => role === 'assistant')
    .flatMap(({ contents }) => contents as unknown as ContentBlock[])
    .find((block) => block.type === 'user_get_choice' && block.toolUseId === answer.toolUseId);
  if (question?.type !== 'user_get_choice') throw new ChoiceNotOpenError();
  if (question.choices.includes(answer.choice)) {
    if (thread.state !== 'ready') throw new ThreadNotReadyError(thread.state);
    return unchangedSql(thread);
  }
  const choices = question.choices.map((choice) => JSON.stringify(choice)).join(', ');
  throw new InvalidInputError([
    { field: 'choice', message: `must be one of ${choices}; use sendMessage to answer in other words` },
  ]);
}
