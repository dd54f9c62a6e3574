/** Retention: what has not changed for too long is deleted, and nothing else. */
import { expect } from 'vitest';
import { deleteExpiredThreads } from '../../../src/modules/deletion/retention.js';
import { housekeepingSteps } from '../../../src/process/housekeeping-steps.js';
import { serviceTest } from '../../support/fixtures/service.js';
import { startTestService, withoutWorker } from '../../support/service.js';
import { addThreads, newcomer } from '../../support/threads.js';

const it = serviceTest(withoutWorker);
const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000);

it('deletes threads that have not changed for as many days as their organization states', async ({ service }) => {
  const [eve, bob] = [await newcomer(service), await newcomer(service)];
  const { database } = service;
  await database.organization.updateMany({ where: { users: { some: { id: eve.id } } }, data: { retentionDays: 30 } });
  const old = { createdAt: daysAgo(400), updatedAt: daysAgo(31) };
  const [young, waiting] = await addThreads(service, eve, [
    { createdAt: daysAgo(400), updatedAt: daysAgo(29) },
    { ...old, state: 'waiting' },
    old,
    { ...old, archived: true, isPrivate: true },
  ]);
  const [unlimited] = await addThreads(service, bob, [old]);
  expect(await deleteExpiredThreads(database, 1)).toBe(1);
  expect(await deleteExpiredThreads(database, 100)).toBe(1);
  expect(await deleteExpiredThreads(database, 100)).toBe(0);
  const left = await database.thread.findMany({ select: { id: true } });
  expect(new Set(left.map(({ id }) => id))).toEqual(new Set([young, waiting, unlimited]));
});

it('is part of the housekeeping of each service, which begins with its start', async () => {
  await using service = await startTestService({ settings: { concurrency: 0, housekeepingMs: 600_000 } });
  const done = /^skein_housekeeping_last_success_timestamp_seconds\{step="(\w+)"\} [1-9]/gm;
  const names = async () => {
    const metrics = await (await fetch(`${service.url}/metrics`)).text();
    return [...metrics.matchAll(done)].map(([, name]) => name);
  };
  const all = housekeepingSteps.map(({ name }) => name);
  await expect.poll(() => names()).toEqual(all);
  expect(all).toContain('expired_threads');
});
