/** Backups as texts, for tests that damage them. */

import { keptTables } from '../../../src/database/backup/tables.js';
import { takeBackup } from '../../../src/database/backup/take-backup.js';
import type { TestDatabase } from '../../support/database/database.js';
import { runSql } from '../../support/server.js';

export async function textOf(database: Pick<TestDatabase, 'url'>): Promise<Buffer> {
  const parts: Buffer[] = [];
  for await (const part of takeBackup({ url: database.url })) parts.push(part);
  return Buffer.concat(parts);
}

/** The text in parts of that size. */
export async function* inParts(text: Buffer, size: number = 65_536): AsyncGenerator<Buffer> {
  for (let start = 0; start < text.length; start += size) yield text.subarray(start, start + size);
}

/** Two people, a private thread in `active` with its running response, one that is `ready`, and every kind of column. */
export function stage(url: string): Promise<unknown[]> {
  return runSql(
    url,
    `INSERT INTO organization (slug, name) VALUES ('acme', E'Acme\\t\\\\.\\nLtd')`,
    `INSERT INTO user_account (id, organization_id, email, name) SELECT 'usr_' || n, o.id, n || '@acme.test', NULL
     FROM organization o, generate_series(1, 2) n`,
    `INSERT INTO access_token (id, user_id, name, digest, last_four, scopes)
     VALUES ('tok_1', 'usr_1', 'CI', '\\x0a5c2e0a', 'abcd', '{threads:read,"odd, \\\\ \\"scope\\""}')`,
    `INSERT INTO access_token (id, user_id, name, digest, last_four, scopes, parent_id)
     VALUES ('tok_0', 'usr_1', 'child', '\\x00', 'abcd', '{threads:read}', 'tok_1')`,
    `INSERT INTO account (id, user_id, provider_id, issuer, account_id) VALUES ('acc_1', 'usr_2', 'credential', 'local', '2')`,
    `UPDATE user_account SET removed_at = now() WHERE id = 'usr_2'`,
    `BEGIN`,
    `INSERT INTO thread (id, organization_id, owner_id, name, state, epoch, last_sequence, is_private, created_at, updated_at)
     SELECT 'thr_1', id, 'usr_1', 'Ἑλλάς', 'active', 1, 2, true, now(), now() FROM organization`,
    `INSERT INTO message (id, thread_id, sequence, role, contents, created_at)
     VALUES ('msg_1', 'thr_1', 2, 'user', '[{"type": "text", "text": "caf\\u00e9 \\\\.\\n\\\\.\\r\\n\\u2028"}]', now())`,
    `INSERT INTO response (message_id, thread_id, status, attempt, epoch, worker_id, lease_until, created_at, started_at)
     VALUES ('msg_1', 'thr_1', 'running', 1, 1, 'worker', now(), now(), now())`,
    `COMMIT`,
    `INSERT INTO thread (id, organization_id, owner_id, last_sequence, created_at, updated_at, continued_from_id)
     SELECT 'thr_0', id, 'usr_1', 4, now(), now(), 'thr_1' FROM organization`,
    `INSERT INTO message (id, thread_id, sequence, role, contents, created_at)
     VALUES ('msg_3', 'thr_0', 2, 'user', '[]', now())`,
    `INSERT INTO message (id, thread_id, sequence, role, contents, reply_to_id, position, created_at)
     VALUES ('msg_2', 'thr_0', 4, 'assistant', '[]', 'msg_3', 0, now())`,
    `UPDATE thread SET updated_at = now() + interval '1 s' WHERE id = 'thr_0'`,
    `INSERT INTO feedback (message_id, user_id, positive, text, created_at, updated_at)
     VALUES ('msg_2', 'usr_1', true, E'a\\tb\\\\N', now(), now())`,
    `INSERT INTO attachment (id, owner_id, name, media_type, size, content, digest, message_id, created_at, uploaded_at)
     SELECT 'att_1', 'usr_1', 'all.bin', 'image/png', length(content), content, sha256(content), 'msg_1', now(), now()
     FROM (SELECT string_agg(set_byte('\\x00', 0, n % 256), '') AS content FROM generate_series(0, 4095) n) AS file`,
  );
}

/** How many rows a backup of the database has. */
export async function countRows(url: string): Promise<number> {
  const counts = keptTables.map((name) => `(SELECT count(*) FROM public."${name}")`);
  const [row] = await runSql(url, `SELECT (${counts.join(' + ')})::int AS rows`);
  return (row as { rows: number }).rows;
}
