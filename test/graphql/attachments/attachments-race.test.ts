/** Two messages to two threads that name the same attachment at the same moment: one gets it, and the other is told why not. */
import { describe, expect, vi } from 'vitest';
import { holding } from '../../support/database/waiting-statements.js';
import { serviceTest } from '../../support/fixtures/service.js';
import { type Person, patientStatements, type TestService } from '../../support/service.js';
import { addThread } from '../../support/threads.js';
import { pixel, sendWith, uploadFile } from './attached-file.js';

const it = serviceTest({ settings: { concurrency: 0, statementLimits: patientStatements } });

/** Holds the attachment until both messages have found it unsent and wait for it; gives what became of them. */
async function sendBothAtOnce(service: TestService, ada: Person, attachmentId: string, onBusy: 'REJECT' | 'INTERRUPT') {
  const { database } = service.service;
  const threads = [await addThread(service, ada), await addThread(service, ada)];
  const waiting = async () => {
    const [row] = await database.$queryRaw<{ count: number }[]>`
      SELECT count(*)::int FROM pg_stat_activity
      WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE '%claimed AS%'`;
    return row?.count;
  };
  const { both } = await database.$transaction(async (transaction) => {
    await transaction.$queryRaw`SELECT 1 FROM attachment WHERE id = ${attachmentId} FOR UPDATE`;
    const input = { text: 'Look', attachmentIds: [attachmentId], onBusy };
    const both = threads.map((threadId) => sendWith(service, ada, { threadId, ...input }));
    await vi.waitFor(async () => expect(await waiting()).toBe(2), { timeout: 30_000, interval: 20 });
    return { both };
  }, holding);
  return { threads, outcomes: await Promise.all(both) };
}

describe('of two messages to two threads with the same attachment', () => {
  it.for(['REJECT', 'INTERRUPT'] as const)(
    'one is sent, and the other names the attachment: %s',
    async (onBusy, { service, ada }) => {
      const id = await uploadFile(service, ada, pixel);
      const { threads, outcomes } = await sendBothAtOnce(service, ada, id, onBusy);
      expect(outcomes.map(({ __typename }) => __typename).sort()).toEqual(['InvalidInputError', 'PostedMessage']);
      const refused = outcomes.find(({ __typename }) => __typename === 'InvalidInputError');
      expect(refused).toMatchObject({ problems: [{ field: 'attachmentIds' }] });
      const { database } = service.service;
      const states = await database.thread.findMany({ where: { id: { in: threads } }, select: { state: true } });
      expect(states.map(({ state }) => state).sort()).toEqual(['ready', 'waiting']);
    },
  );
});
