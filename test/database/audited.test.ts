/** What the audit log records stands once in the log of the process that did it, once it is committed. */
import { pino } from 'pino';
import { describe, expect, test } from 'vitest';
import type { PrismaClient } from '../../prisma/generated/client/client.js';
import { createPrismaClient } from '../../src/database/client.js';
import { createOrganization, createUser } from '../../src/modules/identity/provision.js';
import { createTestDatabase } from '../support/database/database.js';

interface Line {
  msg: string;
  [field: string]: unknown;
}

const it = test
  .extend('makeDatabase', { scope: 'file' }, () => createTestDatabase)
  .extend('storage', { scope: 'file' }, async ({ makeDatabase }, { onCleanup }) => {
    const storage = await makeDatabase();
    onCleanup(() => storage.drop());
    return storage;
  })
  .extend('connect', ({ storage }, { onCleanup }) => {
    const opened: PrismaClient[] = [];
    onCleanup(async () => {
      await Promise.all(opened.map((database) => database.$disconnect()));
    });
    /** A client of a program, and what it has logged so far. */
    return (options: { isNode: boolean; isPooled?: boolean }) => {
      const lines: Line[] = [];
      const logger = pino({ base: null, timestamp: false }, { write: (line) => void lines.push(JSON.parse(line)) });
      const { isNode, isPooled = false } = options;
      const shared = { url: storage.url, isPooled, applicationName: 'audited', maxConnections: 2, logger };
      const database = createPrismaClient({ ...shared, ...(isNode && { onNotification: () => undefined }) });
      opened.push(database);
      return { database, lines };
    };
  })
  .extend('node', ({ connect }) => connect({ isNode: true }))
  .extend('command', ({ connect }) => connect({ isNode: false }))
  .extend('eve', async ({ command }) => {
    const slug = `audited-${Math.random().toString(36).slice(2)}`;
    const { id: organization } = await createOrganization(command.database, { slug, name: slug });
    const email = `eve@${slug}.test`;
    const { id } = await createUser(command.database, { organizationSlug: slug, email, name: 'Eve', role: 'member' });
    command.lines.length = 0;
    return { id, organization };
  });

const promote = (id: string) => ({ where: { id }, data: { role: 'admin' as const } });

describe('an entry of the audit log', () => {
  it('is one line of the process that made the change, with ids', async ({ node, command, eve }) => {
    await node.database.user.update(promote(eve.id));
    const line = {
      ...{ level: 30, msg: 'audit', act: 'role_changed', actorKind: 'service', actorId: null },
      ...{ subjectId: eve.id, targetId: 'admin', organization: eve.organization },
    };
    expect([node.lines, command.lines]).toEqual([[line], []]);
  });

  it('is a line of a command too, and through a pooler', async ({ connect, command, node, eve }) => {
    const pooled = connect({ isNode: false, isPooled: true });
    await pooled.database.user.update(promote(eve.id));
    const line = expect.objectContaining({ act: 'role_changed', actorKind: 'command_line', subjectId: eve.id });
    expect([pooled.lines, command.lines, node.lines]).toEqual([[line], [], []]);
  });
});
