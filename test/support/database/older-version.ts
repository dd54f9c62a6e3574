/** The database of an older version: its migrations, and a few rows. */
import { cp, mkdir, mkdtemp, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { inject } from 'vitest';
import { prismaFolder } from '../../../src/database/migrations/folder.js';

/** A folder with the migrations before the one with that number. */
export async function migrationsBefore(number: string): Promise<string> {
  const folder = await mkdtemp(join(inject('testScratch'), 'migrations-'));
  const all = join(prismaFolder(), 'migrations');
  await mkdir(folder, { recursive: true });
  for (const name of await readdir(all)) {
    if (name < number || name.endsWith('.toml')) await cp(join(all, name), join(folder, name), { recursive: true });
  }
  return folder;
}

export const oldRows = [
  `INSERT INTO organization (slug, name) VALUES ('acme', 'Acme')`,
  `INSERT INTO user_account (id, organization_id, email) SELECT 'usr_1', id, 'ada@acme.test' FROM organization`,
  `INSERT INTO thread (id, organization_id, owner_id, name, created_at, updated_at)
   SELECT 'thr_1', id, 'usr_1', 'Ἑλλάς', now(), now() FROM organization`,
  `INSERT INTO message (id, thread_id, sequence, role, contents, created_at)
   VALUES ('msg_1', 'thr_1', 2, 'user', '[{"type": "text", "text": "café"}]', now())`,
];
