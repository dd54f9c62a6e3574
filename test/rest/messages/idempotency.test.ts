import { describe, expect } from 'vitest';
import type { CreatedBody } from '../../support/clients/rest-types.js';
import { it } from '../../support/fixtures/service.js';
import { gate, wait } from '../../support/model/model-script.js';
import { RawClient } from '../http/raw-http.js';

const keyed = (key: string) => ({ headers: { 'idempotency-key': key } });

describe('POST /threads › Idempotency-Key', () => {
  it('makes one thread for twenty requests with one key at once, answered alike', async ({ service, ada }) => {
    for (let round = 0; round < 2; round += 1) {
      const before = await service.database.thread.count();
      const requests = Array.from({ length: 20 }, () =>
        ada.rest.post<CreatedBody>('/threads', { text: 'once' }, keyed(`round-${round}`)),
      );
      const replies = await Promise.all(requests);
      expect(new Set(replies.map((reply) => reply.status))).toEqual(new Set([201]));
      expect(new Set(replies.map((reply) => reply.body.thread_id)).size).toBe(1);
      expect(replies.filter((reply) => reply.headers.get('idempotency-replayed') === 'true')).toHaveLength(19);
      expect(await service.database.thread.count()).toBe(before + 1);
    }
  });

  it('takes the key bare or quoted', async ({ ada }) => {
    const bare = await ada.rest.post<CreatedBody>('/threads', { text: 'hi' }, keyed('abc'));
    const quoted = await ada.rest.post<CreatedBody>('/threads', { text: 'hi' }, keyed('"abc"'));
    expect(quoted.body).toEqual(bare.body);
  });

  it('refuses a key that was used with another body with 409', async ({ ada }) => {
    await ada.rest.post('/threads', { text: 'one' }, keyed('two-bodies'));
    const { status, body } = await ada.rest.post('/threads', { text: 'two' }, keyed('two-bodies'));
    expect({ status, code: body.code }).toEqual({ status: 409, code: 'idempotency_key_reuse' });
  });

  it('keeps the keys of two users apart', async ({ service, ada }) => {
    const bob = await service.person();
    const first = await ada.rest.post<CreatedBody>('/threads', { text: 'same' }, keyed('shared'));
    const second = await bob.rest.post<CreatedBody>('/threads', { text: 'same' }, keyed('shared'));
    expect(second.body.thread_id).not.toBe(first.body.thread_id);
  });

  it('stores no refusal: the same key works once the request is corrected', async ({ ada }) => {
    expect((await ada.rest.post('/threads', { text: '' }, keyed('mended'))).status).toBe(400);
    expect((await ada.rest.post('/threads', { text: 'mended' }, keyed('mended'))).status).toBe(201);
  });

  it.for(['k'.repeat(256), '', ' ', '""'])('refuses the key "%s", and makes nothing', async (key, { service, ada }) => {
    const before = await service.database.thread.count();
    const { status, body } = await ada.rest.post('/threads', { text: 'x' }, keyed(key));
    expect([status, body.code, body.errors?.[0]?.parameter]).toEqual([400, 'invalid_request', 'Idempotency-Key']);
    expect(await service.database.thread.count()).toBe(before);
  });

  it('refuses two keys for one request', async ({ service, ada }) => {
    const client = new RawClient(service.url);
    const headers = {
      authorization: `Bearer ${ada.token}`,
      'content-type': 'application/json',
      'idempotency-key': ['one', 'two'],
    };
    const reply = await client.send({ method: 'POST', path: '/api/v1/threads', headers, body: '{"text":"x"}' });
    client.close();
    expect([reply.status, JSON.parse(reply.body).errors]).toEqual([
      400,
      [{ parameter: 'Idempotency-Key', message: 'must be given once' }],
    ]);
  });

  it('forgets a key after a day', async ({ service, ada }) => {
    const first = await ada.rest.post<CreatedBody>('/threads', { text: 'day' }, keyed('day'));
    await service.database
      .$executeRaw`UPDATE idempotency_key SET created_at = created_at - interval '25 hours' WHERE key = 'day'`;
    const second = await ada.rest.post<CreatedBody>('/threads', { text: 'day' }, keyed('day'));
    expect(second.status).toBe(201);
    expect(second.body.thread_id).not.toBe(first.body.thread_id);
  });
});

describe('POST /threads/{id}/messages › Idempotency-Key', () => {
  it('is checked before the state: a retry gets its 201, also of a busy thread', async ({ service, ada }) => {
    const { threadId } = await ada.rest.readyThread({ text: 'hello' });
    const held = gate();
    service.model.enqueue([wait(held.passed)]);
    const path = `/threads/${threadId}/messages`;
    const first = await ada.rest.post<{ message_id: string }>(path, { text: 'again' }, keyed('busy'));
    const busy = await ada.rest.post<{ message_id: string }>(path, { text: 'again' }, keyed('busy'));
    expect([busy.status, busy.body.message_id]).toEqual([201, first.body.message_id]);
    expect((await ada.rest.post(path, { text: 'again' })).status).toBe(409);
    held.open();
    await ada.rest.streamToEnd({ threadId, messageId: first.body.message_id });
    const ready = await ada.rest.post<{ message_id: string }>(path, { text: 'again' }, keyed('busy'));
    expect(ready.body.message_id).toBe(first.body.message_id);
    expect(ready.headers.get('idempotency-replayed')).toBe('true');
  });

  it('stores no 409: the key works when the thread is ready', async ({ service, ada }) => {
    const held = gate();
    service.model.enqueue([wait(held.passed)]);
    const { threadId, messageId } = await ada.rest.createThread({ text: 'hello' });
    const path = `/threads/${threadId}/messages`;
    const early = await ada.rest.post(path, { text: 'next' }, keyed('early'));
    held.open();
    await ada.rest.streamToEnd({ threadId, messageId });
    const later = await ada.rest.post(path, { text: 'next' }, keyed('early'));
    expect([early.status, later.status]).toEqual([409, 201]);
  });

  it('belongs to one thread', async ({ ada }) => {
    const one = await ada.rest.readyThread({ text: 'one' });
    const two = await ada.rest.readyThread({ text: 'two' });
    const send = ({ threadId }: { threadId: string }) =>
      ada.rest.post<{ message_id: string }>(`/threads/${threadId}/messages`, { text: 'same' }, keyed('per-thread'));
    expect((await send(one)).body.message_id).not.toBe((await send(two)).body.message_id);
  });
});
