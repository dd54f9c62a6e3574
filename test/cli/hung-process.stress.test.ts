/** A process of a group that hangs: its clients would wait for ever. */
import { expect, it, onTestFinished, vi } from 'vitest';
import { createTestDatabase } from '../support/database/database.js';
import { livingPids, logOf, startedPids } from './group.js';
import { end, serve } from './program.js';

it('a process that hangs for a minute is replaced, and one that is slow is not', { timeout: 240_000 }, async () => {
  await using database = await createTestDatabase();
  const service = await serve({ DATABASE_URL: database.url, PROCESSES: '2' });
  onTestFinished(async () => void (await end(service, 'SIGKILL')));
  const [slow, hung] = startedPids(service).map(({ pid }) => pid);
  process.kill(slow ?? 0, 'SIGSTOP');
  process.kill(hung ?? 0, 'SIGSTOP');
  const begun = Date.now();
  await vi.waitFor(() => expect(Date.now() - begun).toBeGreaterThan(40_000), { timeout: 60_000 });
  process.kill(slow ?? 0, 'SIGCONT');
  await vi.waitFor(() => expect(startedPids(service)).toHaveLength(3), { timeout: 120_000 });
  expect(startedPids(service).at(-1)?.number).toBe(2);
  expect(logOf(service).filter(({ level }) => level === 50)).toMatchObject([
    { process: 0, msg: 'process 2 hangs; ending it', child: { number: 2, pid: hung } },
    { process: 0, msg: 'process 2 ended unexpectedly; starting another in its place' },
  ]);
  expect(livingPids(service)).toContain(slow);
});
