/** What waits is answered when a worker comes; a limit on waiting counts only while a worker lives. */
import { describe, expect, it } from 'vitest';
import { gate, text, wait } from '../../support/model/model-script.js';
import { startTestService, type TestService } from '../../support/service.js';

const elevenMinutes = 660_000;

/** Messages that have waited for eleven minutes on a service without a worker. */
async function backlog(service: TestService, count: number): Promise<void> {
  const ada = await service.person();
  for (let sent = 0; sent < count; sent += 1) await ada.rest.createThread({ text: `number ${sent}` });
  await service.database.$executeRaw`
    UPDATE thread SET queued_at = queued_at - ${elevenMinutes} * interval '1 millisecond' WHERE state = 'waiting'`;
}

async function statesOf({ service }: TestService): Promise<Record<string, number>> {
  const groups = await service.database.thread.groupBy({ by: ['state'], _count: true });
  return Object.fromEntries(groups.map(({ state, _count }) => [state, _count]));
}

describe('a backlog that has waited through a long absence of workers', () => {
  it.each(['0', '300'])('is answered by the first that comes, with a limit of %s s', async (limit) => {
    await using service = await startTestService({ environment: { ROLE: 'api', QUEUE_LIMIT_SECONDS: limit } });
    await backlog(service, 20);
    await service.addNode({ ROLE: 'worker' });
    await expect.poll(() => statesOf(service)).toEqual({ ready: 20 });
  });
});

describe('a message that no live worker claims', () => {
  const busy = { concurrency: 1 };

  it('waits without limit by default', async () => {
    await using service = await startTestService({ environment: { ROLE: 'api' }, settings: busy });
    const held = gate();
    service.model.enqueue([text('Hel'), wait(held.passed), text('lo')]);
    await backlog(service, 3);
    await service.addNode({ ROLE: 'worker' });
    await expect.poll(() => statesOf(service)).toEqual({ active: 1, waiting: 2 });
    held.open();
    await expect.poll(() => statesOf(service)).toEqual({ ready: 3 });
  });

  it('fails after the configured limit, with a line in the log', async () => {
    await using service = await startTestService({ environment: { QUEUE_LIMIT_SECONDS: '1' }, settings: busy });
    const ada = await service.person();
    const held = gate();
    service.model.enqueue([text('Hel'), wait(held.passed), text('lo')]);
    const first = await ada.rest.createThread({ text: 'runs' });
    await expect.poll(() => service.model.requests).toHaveLength(1);
    const second = await ada.rest.createThread({ text: 'waits' });
    await expect.poll(() => statesOf(service)).toEqual({ active: 1, error: 1 });
    const response = await service.database.response.findUnique({ where: { messageId: second.messageId } });
    expect(response).toMatchObject({ status: 'failed', errorCode: 'queue_timeout' });
    const lines = service.log.filter((line) => line.includes('queued for too long'));
    expect(lines).toEqual([expect.stringContaining(second.threadId)]);
    held.open();
    await ada.rest.answer(first);
  });
});
