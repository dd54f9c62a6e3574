/** Notifications: a node hears what its own statements say once they are committed, and the others hear it from the database. */

import { pino } from 'pino';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { PrismaClientOptions } from '../../src/database/client.js';
import { knownMs, NotificationSender } from '../../src/database/notification-sender.js';
import type { Notification } from '../../src/database/notifications.js';
import { createOrganization, createUser } from '../../src/modules/identity/provision.js';
import { ManualClock } from '../modules/manual-clock.js';
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

/** A sender whose statements are answered as `answers` says, the last answer from then on. */
function senderStage(...answers: (boolean | Error)[]) {
  const clock = new ManualClock();
  const sent: { payloads: string[]; peersListen: boolean }[] = [];
  const failures: unknown[] = [];
  const sender = new NotificationSender({
    clock,
    onError: (error) => failures.push(error),
    send: async (notifications, peersListen) => {
      sent.push({ payloads: notifications.map(({ payload }) => payload), peersListen });
      const answer = (answers.length > 1 ? answers.shift() : answers[0]) ?? true;
      if (answer instanceof Error) throw answer;
      return answer;
    },
  });
  const notify = (...payloads: string[]) => {
    for (const payload of payloads) sender.add({ channel: 'work', payload });
  };
  /** Waits until the number of statements has been sent and answered, and lets the time pass until the next may be. */
  const settled = async (statements: number) => {
    await expect.poll(() => [sent.length, clock.pendingTimers]).toEqual([statements, 1]);
    clock.advance(10);
  };
  return { clock, sent, failures, sender, notify, settled };
}

describe('the sender of notifications', () => {
  it('sends those of one turn in one statement, each once', async () => {
    const { sent, notify, settled } = senderStage(true);
    notify('one', 'two', 'one');
    await settled(1);
    expect(sent).toEqual([{ payloads: ['one', 'two'], peersListen: false }]);
  });

  it('collects what comes during a statement for the next one', async () => {
    const { sent, notify, settled } = senderStage(true);
    notify('one');
    await expect.poll(() => sent).toHaveLength(1);
    notify('two', 'three', 'one');
    await settled(1);
    await settled(2);
    expect(sent[1]?.payloads).toEqual(['two', 'three', 'one']);
  });

  it('sends nothing for a second after nobody else was found to listen', async () => {
    const { clock, sent, notify, settled } = senderStage(false);
    notify('one');
    await settled(1);
    clock.advance(knownMs - 11);
    notify('two');
    clock.advance(1);
    notify('three');
    await settled(2);
    expect(sent.map(({ payloads }) => payloads)).toEqual([['one'], ['three']]);
  });

  it('does not check for listeners for a second after one was found', async () => {
    const { clock, sent, notify, settled } = senderStage(true);
    notify('one');
    await settled(1);
    notify('two');
    await settled(2);
    clock.advance(knownMs);
    notify('three');
    await settled(3);
    expect(sent.map(({ peersListen }) => peersListen)).toEqual([false, true, false]);
  });

  it('sends at once when another node has begun to listen', async () => {
    const { sent, sender, notify, settled } = senderStage(false, true);
    notify('one');
    await settled(1);
    sender.forget();
    notify('two');
    await settled(2);
    expect(sent[1]).toEqual({ payloads: ['two'], peersListen: false });
  });

  it('sends again what could not be sent, a second later', async () => {
    const { clock, sent, failures, notify, settled } = senderStage(new Error('no connection'), true);
    notify('one');
    await settled(1);
    notify('two');
    clock.advance(989);
    expect(sent).toHaveLength(1);
    clock.advance(1);
    await settled(2);
    expect([sent[1]?.payloads, failures]).toEqual([['one', 'two'], [new Error('no connection')]]);
  });
});

/** A client of a program, and what it has logged so far. */
function program(options: Partial<PrismaClientOptions> = {}) {
  const lines: object[] = [];
  const logger = pino({ base: null, timestamp: false }, { write: (line) => void lines.push(JSON.parse(line)) });
  return { database: connected(opened.url, { maxConnections: 2, logger, ...options }), lines };
}

async function programs() {
  const slug = `audited-${Math.random().toString(36).slice(2)}`;
  const { id: organization } = await createOrganization(opened.client, { slug, name: slug });
  const user = { organizationSlug: slug, email: `eve@${slug}.test`, name: 'Eve', role: 'member' as const };
  const { id } = await createUser(opened.client, user);
  return { node: program({ onNotification: () => undefined }), command: program(), eve: { id, organization } };
}

const promote = (id: string) => ({ where: { id }, data: { role: 'admin' as const } });

describe('an entry of the audit log', () => {
  it('is one line of the process that made the change, with ids', async () => {
    const { node, command, eve } = await programs();
    await node.database.user.update(promote(eve.id));
    const line = {
      ...{ level: 30, msg: 'audit', act: 'role_changed', actorKind: 'service', actorId: null },
      ...{ subjectId: eve.id, targetId: 'admin', organization: eve.organization },
    };
    expect([node.lines, command.lines]).toEqual([[line], []]);
  });

  it('is a line of a command too, and through a pooler', async () => {
    const { node, command, eve } = await programs();
    const pooled = program({ isPooled: true });
    await pooled.database.user.update(promote(eve.id));
    const line = expect.objectContaining({ act: 'role_changed', actorKind: 'command_line', subjectId: eve.id });
    expect([pooled.lines, command.lines, node.lines]).toEqual([[line], [], []]);
  });
});
