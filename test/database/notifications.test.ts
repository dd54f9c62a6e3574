/** A node hears what its own statements say, once it is committed and not before; every other session notifies. */
import { pino } from 'pino';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createPrismaClient } from '../../src/database/client.js';
import type { Notification } from '../../src/database/notifications.js';
import { createTestDatabase } from '../support/database/database.js';
import { Spy } from '../support/database/spy.js';
import { holding } from '../support/database/waiting-statements.js';

const logger = pino({ level: 'silent' });

const it = test
  .extend('makeDatabase', { scope: 'file' }, () => createTestDatabase)
  .extend('storage', { scope: 'file' }, async ({ makeDatabase }, { onCleanup }) => {
    const storage = await makeDatabase();
    onCleanup(() => storage.drop());
    return storage;
  })
  .extend('received', (): Notification[] => [])
  .extend('spy', async ({ storage }, { onCleanup }) => {
    const spy = await Spy.open(storage.url, ['work']);
    onCleanup(() => spy.close());
    return spy;
  })
  .extend('node', ({ storage, received }, { onCleanup }) => {
    const onNotification = (notification: Notification) => received.push(notification);
    const client = createPrismaClient({
      url: storage.url,
      applicationName: '1@here',
      maxConnections: 2,
      onNotification,
      logger,
    });
    onCleanup(() => client.$disconnect());
    return client;
  });

describe('a notification of a node', () => {
  it('is handed over when its statement has committed, and notifies nobody', async ({ node, received, spy }) => {
    await node.$queryRaw`SELECT wake('work', 'one')::text, wake('work', 'two')::text`;
    expect(received).toEqual([
      { channel: 'work', payload: 'one' },
      { channel: 'work', payload: 'two' },
    ]);
    expect(await spy.take()).toEqual([]);
  });

  it('is handed over when its transaction has committed, not before', async ({ node, received }) => {
    await node.$transaction(async (transaction) => {
      await transaction.$queryRaw`SELECT wake('work', 'one')::text`;
      await transaction.$queryRaw`SELECT 1`;
      expect(received).toEqual([]);
    }, holding);
    expect(received).toEqual([{ channel: 'work', payload: 'one' }]);
  });

  it('is dropped with a transaction that is rolled back', async ({ node, received, spy }) => {
    const rolledBack = node.$transaction(async (transaction) => {
      await transaction.$queryRaw`SELECT wake('work', 'one')::text`;
      throw new Error('changed my mind');
    }, holding);
    await expect(rolledBack).rejects.toThrow('changed my mind');
    await node.$queryRaw`SELECT 1`;
    expect([received, await spy.take()]).toEqual([[], []]);
  });

  it('is dropped with a statement that fails', async ({ node, received }) => {
    await expect(node.$queryRaw`SELECT wake('work', 'one')::text, 1 / (random() * 0)::int`).rejects.toThrow('division');
    await node.$queryRaw`SELECT wake('work', 'two')::text`;
    expect(received).toEqual([{ channel: 'work', payload: 'two' }]);
  });

  it('is handed over by a transaction that has rolled back to a savepoint and committed', async ({
    node,
    received,
  }) => {
    await node.$transaction(async (transaction) => {
      await transaction.$queryRaw`SELECT wake('work', 'one')::text`;
      await transaction.$executeRawUnsafe('SAVEPOINT before');
      await expect(transaction.$queryRaw`SELECT 1 / (random() * 0)::int`).rejects.toThrow('division');
      await transaction.$executeRawUnsafe('ROLLBACK TO SAVEPOINT before');
    }, holding);
    expect(received).toEqual([{ channel: 'work', payload: 'one' }]);
  });
});

it('notifies in its transaction where the session is not a node’s', async ({ storage, spy, received }) => {
  const command = createPrismaClient({
    url: storage.url,
    applicationName: 'skein 1@earlier',
    maxConnections: 1,
    logger,
  });
  onTestFinished(() => command.$disconnect());
  await command.$queryRaw`SELECT wake('work', 'one')::text`;
  expect([received, await spy.take()]).toEqual([[], ['one']]);
});
