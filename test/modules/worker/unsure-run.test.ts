/** A run whose worker has not heard of its lease for too long, from its first word to its outcome. */
import { describe, expect, it } from 'vitest';
import { GenerationError } from '../../../src/modules/responses/generation/processor.js';
import { reclaim } from '../../../src/modules/responses/protocol/reclaim.js';
import { gate } from '../../support/model/model-script.js';
import { openedWorld, workerNamed } from '../protocol/protocol-world.js';
import { oneRun, type RunStage } from './one-run.js';

const world = openedWorld();

const unsureRun = (generate: RunStage['generate']) => oneRun(world(), { generate });

describe('a run whose lease is not known to be valid', () => {
  it('shows its viewers nothing, then everything once its outcome is stored', async () => {
    const said = gate();
    const going = gate();
    const { told, ended, run } = await unsureRun(async function* () {
      yield { type: 'text', text: 'Hel' };
      said.open();
      await going.passed;
      yield { type: 'text', text: 'lo' };
    });
    await said.passed;
    expect(told).toEqual([]);
    going.open();
    await ended;
    expect(told).toEqual(['Hel', 'lo', '(end)']);
    expect(await world().response(run.messageId)).toMatchObject({ status: 'succeeded', attempt: 1 });
  });

  it('never shows the text of a try that failed unseen, even if the lease becomes valid before the next try', async () => {
    let tries = 0;
    const pausing = gate();
    const { fence, clock, told, ended, run } = await unsureRun(async function* () {
      tries += 1;
      yield { type: 'text', text: 'Hel' };
      if (tries > 1) return yield { type: 'text', text: 'lo' };
      pausing.open();
      throw new GenerationError('model_unavailable', 'It is away.', { retryable: true, retryAfterMs: 100 });
    });
    await pausing.passed;
    await new Promise(setImmediate);
    fence.confirm(clock.now());
    await ended;
    expect(told.join('')).toBe('Hello(end)');
    expect(await world().response(run.messageId)).toMatchObject({ status: 'succeeded', attempt: 1 });
  });

  it('publishes nothing if somebody else has ended the response', async () => {
    const going = gate();
    const { told, ended, run } = await unsureRun(async function* () {
      yield { type: 'text', text: 'Hel' };
      await going.passed;
    });
    await world().expireLease(run);
    await world().passDeadline(run);
    await reclaim(world().database, workerNamed('bob'), 1);
    going.open();
    await ended;
    expect(told).toEqual(['(end)']);
    expect(await world().response(run.messageId)).toMatchObject({ status: 'failed' });
  });
});
