/**
 * What is open ends within two seconds after the access to it. Other programs may hold up this process, so the best of some tries
 * counts, in milliseconds of an idle machine.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { leastClockMs } from '../../support/machine-speed.js';
import { endings, type World, worlds } from './access-endings.js';

const limitMs = 2000;
const tries = 3;

describe.each(worlds)('what is open ends within two seconds %s', (_name, make) => {
  let world: World;
  beforeAll(async () => {
    world = await make();
  });
  afterAll(() => world.service.stop());

  it.each(endings)('when %s', async (_what, end) => {
    expect(await leastClockMs(() => end(world), { belowMs: limitMs, tries })).toBeLessThan(limitMs);
  });
});
