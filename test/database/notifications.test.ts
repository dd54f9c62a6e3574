/** A node hears what its own statements say, once it is committed and not before; every other session notifies. */
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Notification } from '../../src/database/notifications.js';
import { connected, openedDatabase } from '../support/database/opened-database.js';
import { Spy } from '../support/database/spy.js';
import { holding } from '../support/database/waiting-statements.js';

const opened = openedDatabase();

/** A node, what it has received, and what the database tells everybody. */
async function stage() {
  const spy = await Spy.open(opened.url, ['work']);
  onTestFinished(() => spy.close());
  const received: Notification[] = [];
  const onNotification = (notification: Notification) => received.push(notification);
  const node = connected(opened.url, { applicationName: '1@here', maxConnections: 2, onNotification });
  return { node, received, spy };
}

describe('a notification of a node', () => {
  it('is handed over when its statement has committed, and notifies nobody', async () => {
    const { node, received, spy } = await stage();
    await node.$queryRaw`SELECT wake('work', 'one')::text, wake('work', 'two')::text`;
    expect(received).toEqual([
      { channel: 'work', payload: 'one' },
      { channel: 'work', payload: 'two' },
    ]);
    expect(await spy.take()).toEqual([]);
  });

  it('is handed over when its transaction has committed, not before', async () => {
    const { node, received } = await stage();
    await node.$transaction(async (transaction) => {
      await transaction.$queryRaw`SELECT wake('work', 'one')::text`;
      await transaction.$queryRaw`SELECT 1`;
      expect(received).toEqual([]);
    }, holding);
    expect(received).toEqual([{ channel: 'work', payload: 'one' }]);
  });

  it('is dropped with a transaction that is rolled back', async () => {
    const { node, received, spy } = await stage();
    const rolledBack = node.$transaction(async (transaction) => {
      await transaction.$queryRaw`SELECT wake('work', 'one')::text`;
      throw new Error('changed my mind');
    }, holding);
    await expect(rolledBack).rejects.toThrow('changed my mind');
    await node.$queryRaw`SELECT 1`;
    expect([received, await spy.take()]).toEqual([[], []]);
  });

  it('is dropped with a statement that fails', async () => {
    const { node, received } = await stage();
    await expect(node.$queryRaw`SELECT wake('work', 'one')::text, 1 / (random() * 0)::int`).rejects.toThrow('division');
    await node.$queryRaw`SELECT wake('work', 'two')::text`;
    expect(received).toEqual([{ channel: 'work', payload: 'two' }]);
  });

  it('is handed over by a transaction that has rolled back to a savepoint and committed', async () => {
    const { node, received } = await stage();
    await node.$transaction(async (transaction) => {
      await transaction.$queryRaw`SELECT wake('work', 'one')::text`;
      await transaction.$executeRawUnsafe('SAVEPOINT before');
      await expect(transaction.$queryRaw`SELECT 1 / (random() * 0)::int`).rejects.toThrow('division');
      await transaction.$executeRawUnsafe('ROLLBACK TO SAVEPOINT before');
    }, holding);
    expect(received).toEqual([{ channel: 'work', payload: 'one' }]);
  });
});

it('notifies in its transaction where the session is not a node’s', async () => {
  const { received, spy } = await stage();
  const command = connected(opened.url, { applicationName: 'skein 1@earlier' });
  await command.$queryRaw`SELECT wake('work', 'one')::text`;
  expect([received, await spy.take()]).toEqual([[], ['one']]);
});
