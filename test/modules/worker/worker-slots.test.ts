import { describe, expect, vi } from 'vitest';
import type { ThreadBody } from '../../support/clients/rest-types.js';
import { holding, waitingStatements } from '../../support/database/waiting-statements.js';
import { serviceTest } from '../../support/fixtures/service.js';
import { gate, text, wait } from '../../support/model/model-script.js';
import { patientStatements } from '../../support/service.js';

const patience = { timeout: 10_000 };

// Polling is off in effect: whatever moves here was woken.
const lease = { leaseMs: 600_000, heartbeatMs: 300_000, pollMs: 300_000, maxAttempts: 3, deadlineMs: 600_000 };
const it = serviceTest({ settings: { concurrency: 2, lease, statementLimits: patientStatements } });

describe('worker › slots', () => {
  it('runs no more responses than it has slots, and fills a free slot at once', async ({ service, ada }) => {
    const gates = Array.from({ length: 6 }, gate);
    service.model.enqueue(...gates.map(({ passed }, index) => [text(`${index}`), wait(passed)]));
    const sent = [];
    for (const [index] of gates.entries()) {
      sent.push(await ada.rest.createThread({ text: `message ${index}` }));
      if (index < 2) await vi.waitFor(() => expect(service.model.requests).toHaveLength(index + 1), patience);
    }
    for (const [index, { open }] of gates.entries()) {
      expect(service.model.requests).toHaveLength(Math.min(6, index + 2));
      open();
      const [message] = await ada.rest.answer(sent[index] ?? expect.fail('not sent'));
      expect(message?.contents).toEqual([{ type: 'text', text: `${index}` }]);
      await vi.waitFor(() => expect(service.model.requests).toHaveLength(Math.min(6, index + 3)), patience);
    }
    const asked = service.model.requests.map(({ body }) => body.messages.at(-1)?.content);
    expect(asked).toEqual(gates.map((_, index) => `message ${index}`));
  });

  it('takes back the slot of a message that is refused', async ({ service, ada }) => {
    const gates = [gate(), gate()];
    const before = service.model.requests.length;
    service.model.enqueue(...gates.map(({ passed }) => [wait(passed), text('x')]));
    const first = await ada.rest.createThread({ text: 'a' });
    for (let count = 0; count < 3; count += 1) {
      const { status } = await ada.rest.post(`/threads/${first.threadId}/messages`, { text: 'too early' });
      expect(status).toBe(409);
    }
    const second = await ada.rest.createThread({ text: 'b' });
    await vi.waitFor(() => expect(service.model.requests).toHaveLength(before + 2), patience);
    for (const { open } of gates) open();
    for (const sent of [first, second]) await ada.rest.answer(sent);
  });

  it('gives the free one to one of two messages at once, and the next to the other', async ({ service, ada }) => {
    const { database } = service;
    const gates = [gate(), gate(), gate()];
    const before = service.model.requests.length;
    service.model.enqueue(...gates.map(({ passed }) => [wait(passed), text('x')]));
    const first = await ada.rest.createThread({ text: 'a' });
    const rivals = await database.$transaction(async (other) => {
      await other.$executeRaw`LOCK TABLE message IN EXCLUSIVE MODE`;
      const sending = ['b', 'c'].map((said) => ada.rest.createThread({ text: said }));
      await vi.waitFor(async () => expect(await waitingStatements(database, 'WITH moment')).toBe(2), patience);
      return { sending };
    }, holding);
    const sent = await Promise.all(rivals.sending);
    // Where the one without a slot is stored first, the other must not pass it by, and the worker fills the slot a moment later.
    await vi.waitFor(async () => {
      const rows = await database.response.findMany({
        where: { messageId: { in: sent.map(({ messageId }) => messageId) } },
        orderBy: { status: 'asc' },
      });
      expect(rows.map(({ status, attempt }) => [status, attempt])).toEqual([
        ['queued', 0],
        ['running', 1],
      ]);
    }, patience);
    await vi.waitFor(() => expect(service.model.requests).toHaveLength(before + 2), patience);
    gates[0]?.open();
    await ada.rest.answer(first);
    await vi.waitFor(() => expect(service.model.requests).toHaveLength(before + 3), patience);
    for (const { open } of gates) open();
    for (const one of sent) await ada.rest.answer(one);
  });

  it('shows waiting threads as waiting and running ones as active', async ({ service, ada }) => {
    const gates = [gate(), gate()];
    const before = service.model.requests.length;
    service.model.enqueue(...gates.map(({ passed }) => [wait(passed), text('x')]));
    const running = [await ada.rest.createThread({ text: 'a' }), await ada.rest.createThread({ text: 'b' })];
    await vi.waitFor(() => expect(service.model.requests).toHaveLength(before + 2), patience);
    const queued = await ada.rest.createThread({ text: 'c' });
    const stateOf = async (id: string) => (await ada.rest.get<ThreadBody>(`/threads/${id}`)).body.state;
    expect(await Promise.all(running.map(({ threadId }) => stateOf(threadId)))).toEqual(['active', 'active']);
    expect(await stateOf(queued.threadId)).toBe('waiting');
    for (const { open } of gates) open();
    await ada.rest.answer(queued);
    expect(await stateOf(queued.threadId)).toBe('ready');
  });
});
