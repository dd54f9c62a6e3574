import { expect, it } from 'vitest';
import type { ClaimedResponse } from '../../../src/modules/responses/protocol/claimed-response.js';
import { ActiveRuns, StopRequest } from '../../../src/modules/responses/worker/active-runs.js';

it('a stop that comes before the run that it names reaches it, whatever other runs are brought meanwhile', async () => {
  const runs = new ActiveRuns(Number.POSITIVE_INFINITY);
  const run = { messageId: 'msg_1' } as ClaimedResponse;
  const reasons: unknown[] = [];
  await runs.collect(async () => {
    await runs.collect(async () => runs.stopByRequest(run.messageId));
    await runs.add({ run, askedMs: 0 }, async ({ generation }) => {
      reasons.push(generation.signal.reason);
    });
  });
  await runs.collect(() =>
    runs.add({ run, askedMs: 0 }, async ({ generation }) => {
      reasons.push(generation.signal.reason);
    }),
  );
  expect(reasons).toEqual([expect.any(StopRequest), undefined]);
});
