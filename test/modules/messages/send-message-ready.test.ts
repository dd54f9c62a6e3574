/** A thread may turn ready after a statement found it busy and before its state is read: a refusal never says `ready`. */
import { describe, expect } from 'vitest';
import type { PrismaClient } from '../../../prisma/generated/client/client.js';
import { ThreadNotReadyError } from '../../../src/errors.js';
import { keyedRequest } from '../../../src/modules/messages/sending/idempotency.js';
import { sendMessage } from '../../../src/modules/messages/sending/post-message.js';
import { resumeThread } from '../../../src/modules/responses/protocol/resume-thread.js';
import { interruptedThread } from '../../rest/threads/thread-stages.js';
import { serviceTest } from '../../support/fixtures/service.js';
import { type Person, type TestService, withoutWorker } from '../../support/service.js';

const it = serviceTest(withoutWorker);

/** The database, to which something happens each time before the state of a thread is read, and after. */
function aroundLooks(
  service: TestService,
  { before, after }: { before: () => Promise<unknown>; after?: () => Promise<unknown> },
) {
  const { database } = service;
  const findFirst: PrismaClient['thread']['findFirst'] = ((query: never) => {
    const look = async () => {
      await before();
      const found = await database.thread.findFirst(query);
      await after?.();
      return found;
    };
    return look();
  }) as never;
  return new Proxy(database, {
    get: (target, name) => (name === 'thread' ? { findFirst } : Reflect.get(target, name)),
  });
}

async function send(service: TestService, ada: Person, database: PrismaClient, threadId: string) {
  const request = keyedRequest(await service.viewerOf(ada), 'test', { key: null, body: null });
  return sendMessage(database, request, { threadId, text: 'And now?', from: ['ready'] });
}

/** Brings a thread that waits for its response back to rest. */
async function interrupt(service: TestService, threadId: string): Promise<void> {
  await service.database.$executeRaw`
    WITH response AS (
      UPDATE response SET status = 'interrupted', finished_at = clock_timestamp(), error_message = 'It was stopped.'
      WHERE thread_id = ${threadId} AND status = 'queued')
    UPDATE thread SET state = 'interrupted', queued_at = NULL WHERE id = ${threadId}`;
}

describe('sendMessage › to a thread that turns ready just after it was found busy', () => {
  it('is accepted after all', async ({ service, ada }) => {
    const { threadId } = await interruptedThread({ service, rest: ada.rest });
    const viewer = await service.viewerOf(ada);
    const database = aroundLooks(service, { before: () => resumeThread(service.database, viewer, threadId) });
    const { messageId } = await send(service, ada, database, threadId);
    expect(await service.database.message.count({ where: { id: messageId } })).toBe(1);
  });

  it('is refused with the state that a faster caller leaves each time', async ({ service, ada }) => {
    const { threadId } = await interruptedThread({ service, rest: ada.rest });
    const viewer = await service.viewerOf(ada);
    let looks = 0;
    const database = aroundLooks(service, {
      before: async () => {
        looks += 1;
        if (looks > 1) await interrupt(service, threadId);
        await resumeThread(service.database, viewer, threadId);
      },
      after: () => ada.rest.send(threadId, 'Faster'),
    });
    const error = await send(service, ada, database, threadId).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(ThreadNotReadyError);
    expect([(error as ThreadNotReadyError).state, looks]).toEqual(['waiting', 5]);
    expect(await service.database.message.count({ where: { threadId } })).toBe(6);
  });
});
