/** `skein move` takes the embedded database to a server, whole, and only while nobody writes to it. */
import { readdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { RestClient } from '../../support/clients/rest-client.js';
import { createEmptyDatabase, type TestDatabase } from '../../support/database/database.js';
import { copySchemaCluster } from '../../support/database/schema-cluster.js';
import { type ModelServer, startModelServer } from '../../support/model/model-server.js';
import { startTestService } from '../../support/service.js';
import { command } from '../command.js';
import { dataDirectory, end, serve, skein, type Variables } from '../program.js';
import { seenBy } from './content.js';

let directory: Awaited<ReturnType<typeof dataDirectory>>;
let model: ModelServer;
let DATA_DIR: string;
let target: TestDatabase;
beforeAll(async () => {
  directory = await dataDirectory();
  DATA_DIR = directory.path;
  model = await startModelServer();
  target = await createEmptyDatabase();
});
afterAll(async () => {
  await target.drop();
  await model.close();
  await directory.remove();
});

function variables(more: Variables): Variables {
  return { PUBLIC_URL: 'https://skein.test', AI_MODEL: 'compatible:scripted', AI_BASE_URL: model.url, ...more };
}

function move(to: string, more: Variables = { DATA_DIR }) {
  return command(['move', '--to', to], more);
}

it('skein backup refuses a directory without a database, and creates none', async () => {
  const file = join(dirname(DATA_DIR), 'mistyped.skein');
  expect(await command(['backup', file], { DATA_DIR })).toEqual({
    status: 1,
    stdout: '',
    stderr: `There is no embedded database in ${DATA_DIR}. Set DATA_DIR to the directory that has one.\n`,
  });
  expect(await readdir(dirname(DATA_DIR))).toEqual([]);
});

describe('skein move', () => {
  it('refuses a directory without a database, a URL that is none, and a configured server', async () => {
    expect(await move(target.url)).toMatchObject({
      status: 1,
      stderr: `There is no embedded database in ${DATA_DIR}. Set DATA_DIR to the directory that has one.\n`,
    });
    for (const url of ['localhost', 'http://localhost/skein']) expect(await move(url)).toMatchObject({ status: 64 });
    expect(await move(target.url, { DATABASE_URL: target.url })).toMatchObject({
      status: 1,
      stderr: 'DATABASE_URL is set, so the embedded database is not in use. Unset it to move that one.\n',
    });
  });

  it('copies everything once the service has stopped, and says what to set', async () => {
    await copySchemaCluster(DATA_DIR);
    const service = await serve(variables({ DATA_DIR }));
    const [token] = await service.prints(/skn_pat_[0-9A-Za-z]{36}/);
    await new RestClient({ origin: service.url, prefix: '/api/v1', token }).readyThread({
      text: 'Hello',
      name: 'Moves',
    });
    const served = await move(target.url);
    const seen = await seenBy(service, token);
    await end(service);
    expect(served).toMatchObject({ status: 1, stdout: '' });
    expect(served.stderr).toMatch(/^Skein already runs on the data directory .* Stop that one first/);

    const moved = await skein(['move', '--to', target.url], { DATA_DIR });
    expect(moved).toMatchObject({ status: 0, stderr: '' });
    expect(moved.stdout).toMatch(
      /^Restored \d+ rows of \d+ tables\.\nSet DATABASE_URL to that address before Skein starts again\. /,
    );
    expect(await move(target.url)).toMatchObject({
      status: 1,
      stderr: expect.stringMatching(/^The database is not empty/),
    });
    await using elsewhere = await startTestService({ storage: { ...target, drop: async () => undefined } });
    expect(await seenBy(elsewhere, token)).toEqual(seen);
    expect(seen.size).toBe(1);
  });
});
