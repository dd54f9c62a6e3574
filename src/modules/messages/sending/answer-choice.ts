/**
 * Answers a question of the assistant. The answer is an ordinary user message, sent by the same conditional statement
 * with one more condition: the thread still ends with this question and the question offers this choice. Of concurrent
 * answers the first one succeeds, and no answer follows another message.
 */
import { Prisma, type PrismaClient } from '../../../../prisma/generated/client/client.js';
import { ChoiceNotOpenError, InvalidInputError, NotFoundError, ThreadNotReadyError } from '../../../errors.js';
import type { Viewer } from '../../identity/authenticate.js';
import { visibleTo } from '../../threads/visibility.js';
import type { ChoiceBlock, ContentBlock } from '../content.js';
import type { KeyedRequest } from './idempotency.js';
import { sendMessageIf } from './post-message.js';
import type { PostedMessage } from './posted-message.js';

export interface ChoiceAnswer {
  threadId: string;
  toolUseId: string;
  choice: string;
}

/**
 * Sends the choice. Throws a `NotFoundError` if the viewer cannot see the thread, a `ChoiceNotOpenError` if it does not
 * end with the question, an `InvalidInputError` with the choices if this is none of them, and a `ThreadNotReadyError`
 * if the thread accepts no message because it was stopped while it asked.
 */
export async function answerChoice(
  database: PrismaClient,
  request: KeyedRequest,
  answer: ChoiceAnswer,
): Promise<PostedMessage> {
  const { threadId, choice } = answer;
  const message = { threadId, text: choice, from: ['ready'] as const, onlyIf: offersSql(answer) };
  for (let attempt = 1; attempt <= tries; attempt += 1) {
    const posted = await sendMessageIf(database, request, message);
    if (posted) return posted;
    await refuseUnlessOpen(database, request.viewer, answer);
  }
  throw new ThreadNotReadyError('waiting');
}

/**
 * A question that was asked since the statement is answered by the next attempt; an error never calls the thread ready.
 */
const tries = 3;

/** A condition that the newest message of the thread `t` asks the question and offers the choice. */
function offersSql({ toolUseId, choice }: ChoiceAnswer): Prisma.Sql {
  const offer: Partial<ChoiceBlock>[] = [{ type: 'user_get_choice', toolUseId, choices: [choice] }];
  return Prisma.sql`EXISTS (
    SELECT 1 FROM message m WHERE m.thread_id = t.id AND m.sequence = t.last_sequence AND m.role = 'assistant'
      AND m.contents @> ${JSON.stringify(offer)}::jsonb)`;
}

async function refuseUnlessOpen(database: PrismaClient, viewer: Viewer, answer: ChoiceAnswer): Promise<void> {
  const thread = await database.thread.findFirst({
    where: { id: answer.threadId, AND: [visibleTo(viewer)] },
    select: {
      state: true,
      messages: { orderBy: { sequence: 'desc' }, take: 1, select: { role: true, contents: true } },
    },
  });
  if (!thread) throw new NotFoundError('thread');
  const question = thread.messages
    .filter(({ role }) => role === 'assistant')
    .flatMap(({ contents }) => contents as unknown as ContentBlock[])
    .find((block) => block.type === 'user_get_choice' && block.toolUseId === answer.toolUseId);
  if (question?.type !== 'user_get_choice') throw new ChoiceNotOpenError();
  if (question.choices.includes(answer.choice)) {
    if (thread.state === 'ready') return;
    throw new ThreadNotReadyError(thread.state);
  }
  const choices = question.choices.map((choice) => JSON.stringify(choice)).join(', ');
  throw new InvalidInputError([
    { field: 'choice', message: `must be one of ${choices}; use sendMessage to answer in other words` },
  ]);
}
