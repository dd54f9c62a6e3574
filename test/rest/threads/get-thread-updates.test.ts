import { describe, expect } from 'vitest';
import type { ThreadBody } from '../../support/clients/rest-types.js';
import { it } from '../../support/fixtures/service.js';
import { gate, httpError, text, wait } from '../../support/model/model-script.js';
import type { Person } from '../../support/service.js';

async function read(ada: Person, id: string): Promise<ThreadBody> {
  return (await ada.rest.get<ThreadBody>(`/threads/${id}`)).body;
}

describe('GET /threads/{thread-id} › 200 › updated_at', () => {
  it('moves when a message is sent and when its response ends, and not in between', async ({ service, ada }) => {
    const end = gate();
    service.model.enqueue([text('Hel'), wait(end.passed), text('lo')]);
    const sent = await ada.rest.createThread({ text: 'Hi' });
    const created = await read(ada, sent.threadId);
    expect(created.updated_at).toBe(created.created_at);
    const events = await ada.rest.stream(sent);
    await events.next();
    expect(await read(ada, sent.threadId)).toEqual({ ...created, state: 'active' });
    end.open();
    for await (const _event of events);
    const answered = await read(ada, sent.threadId);
    expect(answered).toEqual({ ...created, state: 'ready', updated_at: answered.updated_at });
    expect(answered.updated_at > created.updated_at).toBe(true);
    await ada.rest.answer(await ada.rest.send(sent.threadId, 'And now?'));
    expect((await read(ada, sent.threadId)).updated_at > answered.updated_at).toBe(true);
  });

  it('moves when a response fails, and the thread is in error', async ({ service, ada }) => {
    service.model.enqueue([httpError(400)]);
    const sent = await ada.rest.createThread({ text: 'Hi' });
    await ada.rest.streamToEnd(sent);
    const failed = await read(ada, sent.threadId);
    expect(failed.state).toBe('error');
    expect(failed.updated_at > failed.created_at).toBe(true);
  });

  it('stays when the thread is read or its answer is rated', async ({ ada }) => {
    const sent = await ada.rest.readyThread({ text: 'Hi' });
    const before = await read(ada, sent.threadId);
    const [answer] = await ada.rest.answer(sent);
    const path = `/threads/${sent.threadId}/messages/${answer?.id}/feedback`;
    expect((await ada.rest.post(path, { positive: true })).status).toBe(204);
    await ada.rest.get(`/threads/${sent.threadId}/messages`);
    expect(await read(ada, sent.threadId)).toEqual(before);
  });
});
