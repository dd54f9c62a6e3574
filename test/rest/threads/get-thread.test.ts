import { describe, expect } from 'vitest';
import type { ThreadBody } from '../../support/clients/rest-types.js';
import { it } from '../../support/fixtures/service.js';
import { gate, httpError, text, wait } from '../../support/model/model-script.js';
import type { Person } from '../../support/service.js';
import { addThread } from '../../support/threads.js';

async function read(person: Person, id: string): Promise<ThreadBody> {
  const { status, body } = await person.rest.get<ThreadBody>(`/threads/${id}`);
  if (status !== 200) throw new Error(`GET /threads/${id} → ${status} ${JSON.stringify(body)}`);
  return body;
}

describe('GET /threads/{thread-id} › 200', () => {
  it('gives every field of the thread, and no other', async ({ service, ada }) => {
    const times = { createdAt: new Date('2026-11-20T17:29:00.000Z'), updatedAt: new Date('2026-11-20T17:30:01.045Z') };
    const id = await addThread(service, ada, { name: 'Trip to Rome', isPrivate: true, archived: true, ...times });
    expect(await read(ada, id)).toEqual({
      id,
      name: 'Trip to Rome',
      state: 'ready',
      is_private: true,
      archived: true,
      owner: { id: ada.id, name: 'Ada' },
      created_at: '2026-11-20T17:29:00.000Z',
      updated_at: '2026-11-20T17:30:01.045Z',
      app_url: `https://skein.test/threads/${id}`,
    });
  });

  it('gives null for a thread without a name and an owner without a name', async ({ service }) => {
    const nameless = await service.person({ name: null });
    const thread = await read(nameless, await addThread(service, nameless));
    expect(thread).toMatchObject({ name: null, owner: { id: nameless.id, name: null } });
    expect(thread).toMatchObject({ is_private: false, archived: false });
  });

  it.for(['ready', 'waiting', 'active', 'error', 'interrupted'] as const)('is %s', async (state, { idle }) => {
    const person = await idle.person();
    expect((await read(person, await addThread(idle, person, { state }))).state).toBe(state);
  });
});

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
