import { describe, expect, onTestFinished } from 'vitest';
import { GraphQLClient } from '../../support/clients/graphql-client.js';
import { it } from '../../support/fixtures/service.js';
import { gate, text, wait } from '../../support/model/model-script.js';
import type { Person, TestService } from '../../support/service.js';
import { openRaw, streamPath } from './raw-stream.js';

describe('GET …/response/stream › 404 › while the answer to a message of the caller begins', () => {
  const hide = 'mutation ($id: ID!) { setThreadPrivacy(input: {id: $id, isPrivate: true}) { __typename } }';
  const remove = 'mutation ($id: ID!) { deleteThread(id: $id) { __typename } }';

  it('is that of a thread which was just deleted or hidden, and of another', async ({ service, ada }) => {
    const eve = await service.person({ org: 'acme' });
    // No notification may be what the node knows it by.
    const triggers = ['thread_privacy_is_said', 'thread_deletion_is_noted'];
    const turn = (how: 'DISABLE' | 'ENABLE') =>
      Promise.all(triggers.map((name) => service.sql(`ALTER TABLE thread ${how} TRIGGER ${name}`)));
    await turn('DISABLE');
    onTestFinished(async () => void (await turn('ENABLE')));
    const { threadId } = await ada.rest.readyThread({ text: 'Hi' });
    const end = gate();
    service.model.enqueue([wait(end.passed)], [wait(end.passed)]);
    const hidden = await eve.rest.send(threadId, 'And I?');
    const deleted = await ada.rest.createThread({ text: 'Never mind' });
    expect((await ada.rest.get(streamPath({ ...deleted, threadId }))).status).toBe(404);
    await ada.graphql.data(hide, { id: threadId });
    expect((await eve.rest.get(streamPath(hidden))).status).toBe(404);
    await ada.graphql.data(remove, { id: deleted.threadId });
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
  it('ends the streams of a revoked token, and of a hidden thread, without an event', async ({ service, ada }) => {
    const { database } = service;
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

describe('GET …/response/stream › 503', () => {
  it('tells a client that begins just when the process stops to come back, as the subscription does', async ({
    service,
    ada,
  }) => {
    const node = await service.addNode({ ROLE: 'api' });
    const sent = await ada.rest.readyThread({ text: 'Hi' });
    node.tokenLog.close();
    const reply = await service.clientOf(node, ada.token).get(streamPath(sent));
    expect([reply.status, reply.body.code, reply.headers.get('retry-after')]).toEqual([
      503,
      'service_unavailable',
      '1',
    ]);
    const query = 'subscription ($id: ID!) { responseEvents(messageId: $id) { __typename } }';
    const client = new GraphQLClient({ origin: node.url, token: ada.token });
    const { results } = await client.subscribe({ query, variables: { id: sent.messageId } });
    expect((await results.next()).value).toMatchObject({ errors: [{ extensions: { code: 'UNAVAILABLE' } }] });
    await node.stop(0);
  });
});
