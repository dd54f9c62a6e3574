import { describe, expect } from 'vitest';
import type { Sent } from '../../support/clients/rest-client.js';
import type { MessageBody, PageBody, PollBody, ProblemBody } from '../../support/clients/rest-types.js';
import { serviceTest } from '../../support/fixtures/service.js';
import { text } from '../../support/model/model-script.js';
import type { Person } from '../../support/service.js';
import { storeMessages } from '../messages/stored-messages.js';
import { activeAgain, activeThread, failedThread, interruptedThread } from '../threads/thread-stages.js';

const it = serviceTest().extend('ida', { scope: 'file' }, ({ idle }) => idle.person());

function poll<Body = PollBody>({ rest }: Person, { threadId, messageId }: Sent) {
  return rest.get<Body>(`/threads/${threadId}/messages/${messageId}/response`);
}

describe('GET …/response › 202', () => {
  it('says processing while the thread is waiting or active, and when to ask again', async ({ service, ada, ida }) => {
    const { finish, ...sent } = await activeThread({ service, rest: ada.rest });
    for (const reply of [await poll(ida, await ida.rest.createThread({ text: 'Hi' })), await poll(ada, sent)]) {
      expect([reply.status, reply.body, reply.headers.get('retry-after')]).toEqual([
        202,
        { status: 'processing' },
        '1',
      ]);
    }
    finish();
    await ada.rest.answer(sent);
    expect((await poll(ada, sent)).status).toBe(200);
  });
});

describe('GET …/response › 200', () => {
  it('gives the messages of the response in full, as the list of messages has them', async ({ service, ada }) => {
    service.model.enqueue([text('Hel'), text('lo')]);
    const sent = await ada.rest.readyThread({ text: 'Hi' });
    const { status, body, headers } = await poll(ada, sent);
    const list = await ada.rest.get<PageBody<MessageBody>>(`/threads/${sent.threadId}/messages`);
    expect([status, headers.get('retry-after')]).toEqual([200, null]);
    expect(body).toEqual({ status: 'complete', messages: [list.body.data[1]] });
    expect(body.messages?.[0]).toMatchObject({ role: 'assistant', contents: [{ type: 'text', text: 'Hello' }] });
  });

  it.for<[what: string, sql: string, length: number]>([
    ['small', `'Hello'`, 5],
    // These are read by a statement of their own, when there is room for them.
    ['large as it is stored', `(SELECT string_agg(md5(i::text), '') FROM generate_series(1, 20000) i)`, 640_000],
    ['large when it is unpacked', `repeat('a', 900000)`, 900_000],
  ])('gives an answer whole that is %s', async ([_what, sql, length], { service, ada }) => {
    const sent = await ada.rest.readyThread({ text: 'Hi' });
    const contents = `jsonb_build_array(jsonb_build_object('type', 'text', 'text', ${sql}))`;
    await service.sql(`UPDATE message SET contents = ${contents} WHERE reply_to_id = '${sent.messageId}'`);
    const { body } = await poll(ada, sent);
    expect(body.messages).toMatchObject([{ contents: [{ type: 'text', text: expect.any(String) }] }]);
    expect(JSON.stringify(body.messages?.[0]?.contents).length - '[{"type":"text","text":""}]'.length).toBe(length);
  });

  it('gives several messages in their order', async ({ service, database, ada }) => {
    const sent = await ada.rest.readyThread({ text: 'Hi' });
    const ids = await storeMessages(service, sent.threadId, [{ role: 'assistant' }, { role: 'assistant' }]);
    for (const [index, id] of ids.entries()) {
      await database.message.update({ where: { id }, data: { replyToId: sent.messageId, position: 2 - index } });
    }
    const { body } = await poll(ada, sent);
    expect(body.messages?.map((message) => message.id).slice(1)).toEqual(ids.reverse());
  });

  it('judges an earlier message by its own response, whatever the thread does', async ({ service, ada }) => {
    const first = await ada.rest.readyThread({ text: 'First' });
    const before = (await poll(ada, first)).body;
    const { finish, ...second } = await activeAgain({ service, rest: ada.rest }, first.threadId);
    expect([(await poll(ada, first)).status, (await poll(ada, second)).status]).toEqual([200, 202]);
    expect((await poll(ada, first)).body).toEqual(before);
    finish();
    await ada.rest.answer(second);
    expect((await poll(ada, second)).body.messages?.[0]?.id).not.toBe(before.messages?.[0]?.id);
    const state = (name: string, queuedAt: string) =>
      `UPDATE thread SET state = '${name}', queued_at = ${queuedAt} WHERE id = '${first.threadId}'`;
    await service.sql(`${state('waiting', 'now()')}; ${state('error', 'NULL')}`);
    expect((await poll(ada, first)).body).toEqual(before);
  });
});

describe('GET …/response › 404', () => {
  it('says that the response failed, in words that are safe to show', async ({ service, ada }) => {
    const { status, body } = await poll<ProblemBody>(ada, await failedThread({ service, rest: ada.rest }));
    expect([status, body.code, body.title]).toEqual([404, 'response_failed', 'Not found']);
    expect(body.detail).toMatch(/^The AI model .*\.$/);
  });

  it('says that the response was interrupted, and why', async ({ idle, ida }) => {
    const sent = await interruptedThread({ service: idle, rest: ida.rest });
    const { status, body } = await poll<ProblemBody>(ida, sent);
    expect([status, body.code, body.detail]).toEqual([404, 'response_interrupted', 'Ada stopped it.']);
  });
});
