import { describe, expect, onTestFinished } from 'vitest';
import { GraphQLClient } from '../../support/clients/graphql-client.js';
import { it } from '../../support/fixtures/service.js';
import { gate, text, wait } from '../../support/model/model-script.js';
import { runSql } from '../../support/server.js';
import type { Person, TestService } from '../../support/service.js';
import { openRaw, streamPath } from './raw-stream.js';

describe('GET …/response/stream › 404', () => {
  it('is the same for what does not exist and for what the caller may not see', async ({ service, ada }) => {
    const mine = await ada.rest.readyThread({ text: 'Hi', is_private: true });
    const other = await ada.rest.readyThread({ text: 'Hi' });
    const colleague = await service.person({ org: 'acme' });
    const stranger = await service.person({ org: 'globex' });
    const [answer] = await ada.rest.answer(other);
    const replies = await Promise.all([
      colleague.rest.get(streamPath(mine)),
      stranger.rest.get(streamPath(other)),
      ada.rest.get(streamPath({ threadId: mine.threadId, messageId: other.messageId })),
      ada.rest.get(streamPath({ ...other, messageId: answer?.id ?? '' })),
      ada.rest.get(streamPath({ threadId: 'thr_none', messageId: 'msg_none' })),
      ada.rest.get(streamPath({ ...other, messageId: '%F0%9F%91%8B' })),
    ]);
    const shown = replies.map(({ status, headers, body: { request_id: _, ...body } }) => {
      return { ...body, status, contentType: headers.get('content-type') };
    });
    expect(shown[0]).toMatchObject({ status: 404, contentType: 'application/problem+json', code: 'not_found' });
    for (const reply of shown) expect(reply).toEqual(shown[0]);
    expect((await colleague.rest.streamToEnd(other)).at(-1)?.event).toBe('done');
  });
});

describe('GET …/response/stream › 404 › while the answer to a message of the caller begins', () => {
  const hide = 'mutation ($id: ID!) { setThreadPrivacy(input: {id: $id, isPrivate: true}) { __typename } }';
  const remove = 'mutation ($id: ID!) { deleteThread(id: $id) { __typename } }';

  it('is that of a thread which its owner has just deleted or hidden, and of another thread', async ({
    service,
    ada,
  }) => {
    const eve = await service.person({ org: 'acme' });
    // No notification may be what the node knows it by.
    const triggers = ['thread_privacy_is_said', 'thread_deletion_is_noted'];
    const turn = (how: 'DISABLE' | 'ENABLE') =>
      Promise.all(triggers.map((name) => runSql(service.storage.url, `ALTER TABLE thread ${how} TRIGGER ${name}`)));
    await turn('DISABLE');
    onTestFinished(async () => void (await turn('ENABLE')));
    const owner = new GraphQLClient({ origin: service.url, token: ada.token });
    const { threadId } = await ada.rest.readyThread({ text: 'Hi' });
    const end = gate();
    service.model.enqueue([wait(end.passed)], [wait(end.passed)]);
    const hidden = await eve.rest.send(threadId, 'And I?');
    const deleted = await ada.rest.createThread({ text: 'Never mind' });
    expect((await ada.rest.get(streamPath({ ...deleted, threadId }))).status).toBe(404);
    await owner.data(hide, { id: threadId });
    expect((await eve.rest.get(streamPath(hidden))).status).toBe(404);
    await owner.data(remove, { id: deleted.threadId });
    expect((await ada.rest.get(streamPath(deleted))).status).toBe(404);
    end.open();
    await ada.rest.answer(hidden);
  });
});

/** A viewer of a response that has begun, and the end of what that viewer is shown. */
async function watching(service: TestService, ada: Person) {
  const released = gate();
  service.model.enqueue([text('Hel'), wait(released.passed), text('lo')]);
  const sent = await ada.rest.createThread({ text: 'Hi' });
  const eve = await service.person({ org: 'acme' });
  const stream = await openRaw(eve.rest, sent);
  await stream.until(/Hel/);
  return { sent, eve, stream, finish: released.open };
}

describe('GET …/response/stream › lost access', () => {
  it('ends the running streams of a revoked token, and of a viewer from whom the thread is hidden, without an event', async ({
    service,
    ada,
  }) => {
    const { database } = service.service;
    const [revoked, hidden] = [await watching(service, ada), await watching(service, ada)];
    const where = { userId: revoked.eve.id };
    await database.accessToken.updateMany({ where, data: { revokedAt: new Date() } });
    await database.thread.update({ where: { id: hidden.sent.threadId }, data: { isPrivate: true } });
    const shown = await Promise.all([revoked.stream.toEnd(), hidden.stream.toEnd()]);
    for (const bytes of shown) expect(bytes).not.toMatch(/event: (done|error)|lo"/);
    expect((await revoked.eve.rest.get(streamPath(revoked.sent))).status).toBe(401);
    expect((await hidden.eve.rest.get(streamPath(hidden.sent))).status).toBe(404);
    revoked.finish();
    hidden.finish();
    await Promise.all([ada.rest.answer(revoked.sent), ada.rest.answer(hidden.sent)]);
  });
});
