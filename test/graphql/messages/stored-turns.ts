/** Threads with turns in which every kind of thing occurs, put into the database as the service stores them. */
import { createId } from '../../../src/ids.js';
import type { ContentBlock } from '../../../src/modules/messages/content.js';
import { storeMessages } from '../../rest/messages/stored-messages.js';
import { allowImpossiblePairs } from '../../support/database/impossible-pairs.js';
import type { Person, TestService } from '../../support/service.js';
import { addThreads } from '../../support/threads.js';

/** One block of each kind. */
const everyBlock: ContentBlock[] = [
  { type: 'text', text: 'Look:' },
  { type: 'image', attachmentId: 'att_1' },
  { type: 'document', attachmentId: 'att_2' },
  { type: 'user_get_choice', toolUseId: 'call_1', question: 'Which?', choices: ['A', 'B'] },
];

/** How the responses of a thread's turns stand, over and over; the last of the thread may still be queued. */
const statuses = ['succeeded', 'failed', 'interrupted'] as const;

/**
 * Stores `threads` threads of `owner`, each with `turns` turns: a question with an attachment and its response, and its answer
 * with feedback of the owner. The last response of each thread is queued, and each thread
 * continues another one, or itself if it is the only one. Returns the ids of the threads.
 */
export async function storeTurns(
  service: TestService,
  owner: Person,
  { threads, turns }: { threads: number; turns: number },
): Promise<string[]> {
  const threadIds = await addThreads(service, owner, Array<object>(threads).fill({}));
  for (const [index, threadId] of threadIds.entries()) {
    await storeThread(service, { owner, threadId, turns });
    const continuedFromId = threadIds[(index + 1) % threads] ?? null;
    await service.database.thread.update({ where: { id: threadId }, data: { continuedFromId } });
  }
  return threadIds;
}

async function storeThread(
  service: TestService,
  { owner, threadId, turns }: { owner: Person; threadId: string; turns: number },
): Promise<void> {
  const { database } = service;
  const now = new Date();
  const questions = Array.from({ length: turns }, () => createId('msg'));
  const answers = questions.map(() => createId('msg'));
  const messages = questions.flatMap((id, turn) => [
    { id, contents: everyBlock },
    { id: answers[turn] ?? '', role: 'assistant' as const, contents: everyBlock },
  ]);
  await storeMessages(service, threadId, messages);
  // As if each question had been edited.
  for (const id of questions) await database.message.update({ where: { id }, data: { turnId: id } });
  await allowImpossiblePairs(service.storage.url);
  await database.response.createMany({
    data: questions.map((messageId, turn) => {
      const status = turn === turns - 1 ? 'queued' : (statuses[turn % statuses.length] ?? 'failed');
      const finishedAt = status === 'queued' ? null : now;
      return {
        messageId,
        threadId,
        status,
        startedAt: finishedAt,
        finishedAt,
        createdAt: now,
        model: 'demo',
        inputTokens: 3,
        outputTokens: 5,
      };
    }),
  });
  for (const [turn, id] of answers.entries()) {
    await database.message.update({ where: { id }, data: { replyToId: questions[turn] ?? null, position: 0 } });
  }
  await database.attachment.createMany({
    data: questions.map((messageId) => ({
      ...{ id: createId('att'), ownerId: owner.id, messageId, name: 'tea.txt', mediaType: 'text/plain', size: 3 },
      ...{ content: Buffer.from('Tea'), digest: Buffer.alloc(32), createdAt: now, uploadedAt: now },
    })),
  });
  await database.feedback.createMany({
    data: answers.map((messageId) => ({
      ...{ messageId, userId: owner.id, positive: true, text: 'Good' },
      ...{ createdAt: now, updatedAt: now },
    })),
  });
}
