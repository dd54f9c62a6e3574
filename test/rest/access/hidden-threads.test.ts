/** Whom a thread is for: its organization if it is public, its owner alone if it is private. For everybody else it does not exist. */
import { describe, expect } from 'vitest';
import { createId } from '../../../src/ids.js';
import { it as test } from '../http/http-fixture.js';
import { type AnsweredMessage, answeredMessage } from '../messages/answered-message.js';
import { storeMessages } from '../messages/stored-messages.js';
import { settled } from '../threads/thread-stages.js';
import { endpointCases, initFor, nameOf, pathFor } from './endpoint-cases.js';

const ofThreads = endpointCases
  .filter(({ path }) => path.includes('{thread-id}'))
  .map((each) => [nameOf(each), each] as const);

/** What Ada names in vain: threads, and messages of `own`. */
const it = test.extend('hidden', { scope: 'file' }, async ({ service, ada, target: own }) => {
  const other = await answeredMessage(ada);
  const secret = await answeredMessage(await service.person(), true);
  const ofMessage = (id: string): AnsweredMessage => ({ ...own, questionId: id, answerId: id });
  return {
    threads: [
      { ...own, threadId: createId('thr') },
      { ...own, threadId: 'nonsense' },
      await answeredMessage(await service.person({ org: 'other' })),
      secret,
    ],
    messages: [createId('msg'), 'nonsense', other.questionId, other.answerId, secret.answerId].map(ofMessage),
    /** These are in the thread, and no response is to them. */
    unanswered: [
      ofMessage(own.answerId),
      ...(await storeMessages(service, own.threadId, [{ role: 'summary' }])).map(ofMessage),
    ],
  };
});

describe.for(ofThreads)('%s', ([, each]) => {
  it('› 404 › hides private threads and those of others, and stores nothing', async ({
    database,
    ada,
    hidden: { threads, messages, unanswered },
  }) => {
    const countRows = () => Promise.all([database.message.count(), database.feedback.count()]);
    const before = await countRows();
    const bodies = new Set<string>();
    const withoutMessage = each.message === 'questionId' ? [...messages, ...unanswered] : messages;
    for (const place of [...threads, ...(each.message ? withoutMessage : [])]) {
      const { status, body } = await ada.rest.request(pathFor(each, place), initFor(each));
      expect([place, status, body.code]).toEqual([place, 404, 'not_found']);
      bodies.add(JSON.stringify({ ...body, request_id: '' }));
    }
    expect(bodies.size).toBe(1);
    expect(await countRows()).toEqual(before);
  });

  it('› serves every member of the organization', async ({ service, ada, target }) => {
    const colleague = await service.person();
    expect((await colleague.rest.request(pathFor(each, target), initFor(each))).status).toBe(each.success);
    await settled({ service, rest: ada.rest });
  });
});
