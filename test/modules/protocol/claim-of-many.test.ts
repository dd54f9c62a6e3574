/** A claim of 64 threads while some are stopped and sent anew. INTERRUPTION_ROUNDS asks for more rounds, such as 100. */
import { expect, it } from 'vitest';
import { ThreadNotReadyError } from '../../../src/errors.js';
import { claim } from '../../../src/modules/responses/protocol/claim.js';
import { requestStop } from '../../../src/modules/responses/protocol/stop.js';
import { caseCount } from '../../support/case-counts.js';
import { findImpossiblePairs } from '../../support/database/impossible-pairs.js';
import { openedWorld, workerNamed } from './protocol-world.js';

const rounds = caseCount('INTERRUPTION_ROUNDS', { usual: 2, full: 8 });
const size = 64;

const world = openedWorld();

/** Stops a response, and sends another message where it had not begun. */
async function resend({ threadId, messageId }: { threadId: string; messageId: string }): Promise<boolean> {
  await requestStop(world().database, { viewer: world().viewer, messageId, reason: 'Ada stopped it.' });
  const sent = world()
    .askAgain(threadId, { from: ['interrupted'] })
    .then(() => true);
  return sent.catch((error: unknown) => {
    if (error instanceof ThreadNotReadyError) return false;
    throw error;
  });
}

it(
  `a claim of ${size} beside stops and resends loses no stop and no message (${rounds} rounds)`,
  async () => {
    const counts = { claimed: 0, resent: 0, running: 0 };
    for (let round = 0; round < rounds; round += 1) {
      await world().removeThreads();
      const asked = await Promise.all(Array.from({ length: size }, () => world().ask()));
      const stopped = asked.filter((_, index) => index % 4 === round % 4);
      const [claimed, ...resent] = await Promise.all([
        claim(world().database, workerNamed('ann'), size),
        ...stopped.map(resend),
      ]);
      expect(await findImpossiblePairs(world().storage.url)).toEqual([]);
      const responses = await world().database.response.findMany();
      const lost = stopped.filter(({ messageId }) => {
        const response = responses.find((row) => row.messageId === messageId);
        return response?.status !== 'interrupted' && response?.stopReason === null;
      });
      expect(lost, 'no stop is lost').toEqual([]);
      const waiting = responses.filter(({ status }) => status === 'queued').length;
      expect(await claim(world().database, workerNamed('bob'), 2 * size), 'whatever waits is claimed').toHaveLength(
        waiting,
      );
      counts.claimed += claimed.length;
      counts.resent += resent.filter(Boolean).length;
      counts.running += resent.filter((isSent) => !isSent).length;
    }
    console.log(JSON.stringify({ rounds, ...counts }));
  },
  60_000 + rounds * 5000,
);
