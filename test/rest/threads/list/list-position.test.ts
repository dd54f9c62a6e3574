/** Where a page ended is stored without waiting for the disk: the setting ends with the transaction. */
import { expect } from 'vitest';
import { rememberPosition } from '../../../../src/modules/threads/list/list-position.js';
import { it } from '../../../support/fixtures/service.js';
import { addThread } from '../../../support/threads.js';

it('commits the position without waiting for the disk', async ({ service, ada }) => {
  const { database } = service.service;
  const viewer = await service.viewerOf(ada);
  const cursor = { position: '2026-11-20 00:00:00+00', id: await addThread(service, ada), pagination: null };
  const order = { field: 'created_at', direction: 'asc' } as const;
  const settings = await database.$transaction(async (transaction) => {
    const setting = () => transaction.$queryRaw`SELECT current_setting('synchronous_commit') AS value`;
    await transaction.$executeRaw`SET LOCAL synchronous_commit = on`;
    const before = await setting();
    await rememberPosition(transaction as typeof database, viewer, { cursor, order, newest: null });
    return [before, await setting()];
  });
  expect(settings).toEqual([[{ value: 'on' }], [{ value: 'off' }]]);
});
