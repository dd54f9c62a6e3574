/** A copy takes as much memory as its parts, however large the database and its largest rows are. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { createEmptyDatabase, createTestDatabase } from '../../support/database/database.js';
import { runSql } from '../../support/server.js';
import { skein } from '../program.js';

const megabytes = 200;

/** Has the program say at its end how much memory it had at most, and lets it have a small heap. */
const report = `process.on('exit',()=>console.error('most:'+process.resourceUsage().maxRSS+':'))`;
const NODE_OPTIONS = `--max-old-space-size=40 --import=data:text/javascript,${encodeURIComponent(report)}`;

async function mostMegabytes(words: string[], url: string): Promise<number> {
  const { status, stderr } = await skein(words, { DATABASE_URL: url, NODE_OPTIONS });
  expect(status, stderr).toBe(0);
  return Number(/most:(\d+):/.exec(stderr)?.[1]) / 1024;
}

it('a copy of a large database takes little memory', { timeout: 240_000 }, async () => {
  const folder = await mkdtemp(join(tmpdir(), 'skein-memory-'));
  await using large = await createTestDatabase();
  await using small = await createTestDatabase();
  await using target = await createEmptyDatabase();
  try {
    await runSql(small.url, `INSERT INTO service_secret VALUES ('auth', 'x')`);
    await runSql(
      large.url,
      `INSERT INTO organization (slug, name) VALUES ('acme', 'Acme')`,
      `INSERT INTO user_account (id, organization_id, email) SELECT 'usr_1', id, 'ada@acme.test' FROM organization`,
      // Text has two characters for each byte. Ten times the same, so that it does not take long to make.
      `INSERT INTO attachment (id, owner_id, name, media_type, size, content, digest, created_at, uploaded_at)
       SELECT 'att_' || n, 'usr_1', 'x', 'image/png', length(content), content, sha256(content), now(), now()
       FROM generate_series(1, ${megabytes / 20}) n,
         (SELECT convert_to(repeat(string_agg(gen_random_uuid()::text, ''), 10), 'UTF8') AS content FROM generate_series(1, 29000)) c`,
      `INSERT INTO service_secret SELECT n::text, repeat('x', 100) FROM generate_series(1, 200000) n`,
    );
    const file = join(folder, 'large.skein');
    const base = await mostMegabytes(['backup', join(folder, 'small.skein')], small.url);
    const most = {
      backup: await mostMegabytes(['backup', file], large.url),
      restore: await mostMegabytes(['restore', file], target.url),
    };
    console.log(JSON.stringify({ base, ...most }));
    expect(most.backup).toBeLessThan(base + megabytes / 2);
    expect(most.restore).toBeLessThan(base + megabytes / 2);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});
