import { access } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { copySchemaCluster } from '../support/database/schema-cluster.js';
import { dataDirectory, end, serve } from './program.js';

async function newDirectory(): Promise<string> {
  const directory = await dataDirectory();
  onTestFinished(() => directory.remove());
  await copySchemaCluster(directory.path);
  return directory.path;
}

it('output that nobody reads leaves a service running, which ends with its database as it should', async () => {
  const DATA_DIR = await newDirectory();
  const service = await serve({ DATA_DIR, LOG_LEVEL: 'debug' });
  service.child.stdout?.destroy();
  service.child.stderr?.destroy();
  // Each request writes to the log.
  for (const path of ['/readyz', '/api/v1/me', '/readyz']) await fetch(`${service.url}${path}`);
  await expect.poll(async () => (await fetch(`${service.url}/readyz`)).status).toBe(200);
  // As when a terminal is closed.
  expect(await end(service, 'SIGHUP')).toBe(0);
  await expect(access(join(DATA_DIR, 'postgres', 'postmaster.pid'))).rejects.toThrow('ENOENT');
});
