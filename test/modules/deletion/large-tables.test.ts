/**
 * Deleting somebody who has much reads no table from its beginning: neither past what was deleted before, nor past
 * everything once nothing of theirs is left and the statistics do not know it yet.
 */
import { expect, it } from 'vitest';
import { deleteOrganization, deleteUser } from '../../../src/modules/deletion/delete-user.js';
import { openedDatabase } from '../../support/database/opened-database.js';

/** Of each table. A person has one in ten of them, or an organization every other one. */
const rows = 20_000;
const key = `lpad(i::text, 6, '0')`;
const owner = `CASE WHEN i % 10 = 0 THEN 'usr_eve' ELSE 'usr_ada' END`;
const organization = `(SELECT id FROM organization WHERE slug = CASE WHEN i % 2 = 0 THEN 'left' ELSE 'home' END)`;
const every = `FROM generate_series(1, ${rows}) i`;
const tables = ['thread', 'message', 'attachment', 'deleted_thread', 'audit_event'];

const opened = openedDatabase({
  fill: [
    `INSERT INTO organization (slug, name) VALUES ('home', 'Home'), ('left', 'Left')`,
    `INSERT INTO user_account (id, organization_id, email)
     SELECT id, (SELECT id FROM organization WHERE slug = 'home'), id FROM unnest(ARRAY['usr_ada', 'usr_eve']) id`,
    `SET session_replication_role = replica;
     INSERT INTO thread (id, organization_id, owner_id, last_sequence, created_at, updated_at)
     SELECT 'thr_' || ${key}, u.organization_id, u.id, 100, now(), now() ${every} JOIN user_account u ON u.id = ${owner};
     INSERT INTO message (id, thread_id, sequence, role, contents, author_id, created_at)
     SELECT 'msg_' || ${key}, 'thr_' || ${key}, 2, 'user', '[]', ${owner}, now() ${every};
     INSERT INTO attachment (id, owner_id, name, media_type, size, created_at)
     SELECT 'att_' || ${key}, ${owner}, 'a.txt', 'text/plain', 1, now() ${every};
     INSERT INTO deleted_thread (id, organization_id, is_private, changed_xid)
     SELECT 'thr_gone_' || ${key}, ${organization}, false, 1 ${every};
     INSERT INTO audit_event (organization_id, act, actor_kind, subject_id)
     SELECT ${organization}, 'signed_in', 'user', 'usr_ada' ${every}`,
    'ANALYZE',
  ],
});

/** How many rows were read by reading these tables from their beginning. */
async function rowsReadInOrder(): Promise<Record<string, number>> {
  await opened.client.$queryRaw`SELECT pg_stat_force_next_flush()::text`;
  const read = await opened.client.$queryRaw<{ relname: string; n: number }[]>`
    SELECT relname::text, seq_tup_read::int AS n FROM pg_stat_user_tables WHERE relname = ANY (${tables}::text[])`;
  return Object.fromEntries(read.map(({ relname, n }) => [relname, n]));
}

it('of a user', async () => {
  const before = await rowsReadInOrder();
  expect(await deleteUser(opened.client, 'usr_eve')).toBe(rows / 10);
  expect(await rowsReadInOrder()).toEqual(before);
});

it('of an organization', async () => {
  const { id } = await opened.client.organization.findUniqueOrThrow({ where: { slug: 'left' } });
  const before = await rowsReadInOrder();
  await deleteOrganization(opened.client, id);
  expect(await rowsReadInOrder()).toEqual(before);
});
