/** What happens between the moment a thread is read for its summary and the one in which the new thread is stored. */
import { describe, expect } from 'vitest';
import type { PrismaClient } from '../../../prisma/generated/client/client.js';
import { NotFoundError, ThreadNotReadyError } from '../../../src/errors.js';
import { continueThread } from '../../../src/modules/messages/sending/continue-thread.js';
import { keyedRequest } from '../../../src/modules/messages/sending/idempotency.js';
import type { Sent } from '../../support/clients/rest-client.js';
import { serviceTest } from '../../support/fixtures/service.js';
import { gate, text, wait } from '../../support/model/model-script.js';
import type { Person, TestService } from '../../support/service.js';

const it = serviceTest().extend('colleague', { scope: 'file' }, ({ service }) => service.person());

/** The database, to which something happens each time before a thread is stored. */
function interrupting(service: TestService, happens: () => Promise<unknown>): PrismaClient {
  const { database } = service;
  return new Proxy(database, {
    get(target, name) {
      if (name !== '$queryRaw') return Reflect.get(target, name);
      return async (...statement: Parameters<PrismaClient['$queryRaw']>) => {
        // What is read before is a statement too.
        if (textOf(statement).includes('INSERT INTO thread')) await happens();
        return target.$queryRaw(...statement);
      };
    },
  });
}

function textOf([query]: Parameters<PrismaClient['$queryRaw']>): string {
  return 'strings' in query ? query.strings.join('') : query.join('');
}

async function goOn(
  service: TestService,
  person: Person,
  threadId: string,
  happens: () => Promise<unknown>,
): Promise<Sent> {
  const viewer = await service.viewerOf(person);
  const request = keyedRequest(viewer, 'test', { key: null, body: null });
  const continuation = { threadId, text: 'And now?', name: null, isPrivate: null };
  return continueThread(interrupting(service, happens), request, continuation);
}

describe('continueThread › while the earlier thread changes', () => {
  it('leaves out no message that was added meanwhile', async ({ service, ada }) => {
    const { threadId } = await ada.rest.readyThread({ text: 'First' });
    let times = 0;
    const posted = await goOn(service, ada, threadId, async () => {
      times += 1;
      if (times === 1) await ada.rest.answer(await ada.rest.send(threadId, 'Second'));
    });
    const summary = await service.database.message.findFirstOrThrow({
      where: { threadId: posted.threadId, role: 'summary' },
    });
    expect(JSON.stringify(summary.contents)).toContain('User: Second');
    expect(times).toBe(2);
    await ada.rest.answer({ ...posted });
  });

  it('fails if a response began meanwhile', async ({ service, ada }) => {
    const { threadId } = await ada.rest.readyThread({ text: 'First' });
    const hold = gate();
    let sent: Sent | undefined;
    const before = await service.database.thread.count();
    const outcome = goOn(service, ada, threadId, async () => {
      service.model.enqueue([text('Hel'), wait(hold.passed)]);
      sent = await ada.rest.send(threadId, 'Second');
    });
    await expect(outcome).rejects.toBeInstanceOf(ThreadNotReadyError);
    expect(await service.database.thread.count()).toBe(before);
    hold.open();
    await ada.rest.answer(sent ?? expect.fail('nothing was sent'));
  });

  it('fails if the thread was hidden from the caller meanwhile', async ({ service, ada, colleague }) => {
    const { threadId } = await ada.rest.readyThread({ text: 'First' });
    const before = await service.database.thread.count();
    const hide = () => service.database.thread.update({ where: { id: threadId }, data: { isPrivate: true } });
    await expect(goOn(service, colleague, threadId, hide)).rejects.toBeInstanceOf(NotFoundError);
    expect(await service.database.thread.count()).toBe(before);
  });

  it('fails if messages are added faster than they are read', async ({ service, ada }) => {
    const { threadId } = await ada.rest.readyThread({ text: 'First' });
    const move = () =>
      service.database.thread.update({ where: { id: threadId }, data: { lastSequence: { increment: 2 } } });
    const error = await goOn(service, ada, threadId, move).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(ThreadNotReadyError);
    // The thread is in `ready` each time it is read: that is no reason, and what was faster is a message.
    expect((error as ThreadNotReadyError).state).toBe('waiting');
  });
});
