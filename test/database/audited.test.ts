/** What the audit log records stands once in the log of the process that did it, once it is committed. */
import { pino } from 'pino';
import { describe, expect, it } from 'vitest';
import type { PrismaClientOptions } from '../../src/database/client.js';
import { createOrganization, createUser } from '../../src/modules/identity/provision.js';
import { connected, openedDatabase } from '../support/database/opened-database.js';

interface Line {
  msg: string;
  [field: string]: unknown;
}

const opened = openedDatabase();

/** A client of a program, and what it has logged so far. */
function program(options: Partial<PrismaClientOptions> = {}) {
  const lines: Line[] = [];
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
