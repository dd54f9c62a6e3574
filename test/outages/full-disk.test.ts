/** The disk of the embedded database is full: nothing can be sent, and `/readyz` says so until there is room again. */
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
import { end, serve } from '../cli/program.js';
import { canMount, mountNote, mountTmpfs } from '../database/embedded/tmpfs.js';
import { copySchemaCluster } from '../support/database/schema-cluster.js';

const patient = { timeout: 40_000, interval: 100 };

/** Fills what is left. */
async function fill(path: string): Promise<void> {
  const piece = Buffer.alloc(1024 * 1024);
  for (;;) {
    try {
      await writeFile(path, piece, { flag: 'a' });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOSPC') return;
      throw error;
    }
  }
}

it.skipIf(!canMount)(
  `/readyz › 503 › while the disk is full, and 200 once there is room${mountNote}`,
  { timeout: 120_000 },
  async () => {
    const folder = await mountTmpfs('size=220m');
    const DATA_DIR = join(folder, 'data');
    await copySchemaCluster(DATA_DIR);
    const service = await serve({ DATA_DIR });
    onTestFinished(async () => void (await end(service, 'SIGTERM')));
    const [token] = await service.prints(/skn_pat_[0-9A-Za-z]{36}/);
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    const post = async () => {
      // Nothing that compresses, so that it needs new pages.
      const noise = Array.from({ length: 5_000 }, () => Math.random().toString(36)).join(' ');
      const body = JSON.stringify({ text: noise });
      return (await fetch(`${service.url}/api/v1/threads`, { method: 'POST', headers, body })).status;
    };
    const readyz = async () => (await fetch(`${service.url}/readyz`)).status;
    expect([await post(), await readyz()]).toEqual([201, 200]);
    await fill(join(folder, 'filling'));
    await vi.waitFor(async () => expect(await post()).toBe(503), patient);
    expect(await readyz()).toBe(503);
    await rm(join(folder, 'filling'));
    await vi.waitFor(async () => expect(await readyz()).toBe(200), patient);
    await vi.waitFor(async () => expect(await post()).toBe(201), patient);
    expect(service.stderr).toContain('the disk of the database is full');
  },
);
