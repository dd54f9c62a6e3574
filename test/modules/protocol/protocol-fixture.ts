/** Tests of the protocol's statements share a database, and each of them finds it without threads. */
import { test } from 'vitest';
import { Spy } from '../../support/database/spy.js';
import { ProtocolWorld } from './protocol-world.js';

export const it = test
  .extend('openWorld', { scope: 'file' }, () => ProtocolWorld.open)
  .extend('sharedWorld', { scope: 'file' }, async ({ openWorld }, { onCleanup }) => {
    const world = await openWorld();
    onCleanup(() => world.close());
    return world;
  })
  .extend('world', ({ sharedWorld }, { onCleanup }) => {
    onCleanup(() => sharedWorld.removeThreads());
    return sharedWorld;
  })
  /** What the database announces of threads. */
  .extend('changes', { scope: 'file' }, async ({ sharedWorld }, { onCleanup }) => {
    const changes = await Spy.open(sharedWorld.storage.url, ['response_changed']);
    onCleanup(() => changes.close());
    return changes;
  });
