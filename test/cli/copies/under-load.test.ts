/**
 * A backup that the program takes while people write, restored into another embedded database and into a PostgreSQL of an older
 * major version: what was there before is there again, and what was under way goes on.
 */
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { readBackupFile } from '../../../src/database/backup/backup-file.js';
import { createThreadWith, pixel, uploadFile } from '../../graphql/attachments/attached-file.js';
import { RestClient, type Sent } from '../../support/clients/rest-client.js';
import { createEmptyDatabase } from '../../support/database/database.js';
import { InstalledPostgres, installedBinDir } from '../../support/database/installed-postgres.js';
import { copySchemaCluster } from '../../support/database/schema-cluster.js';
import { hang, text } from '../../support/model/model-script.js';
import { type ModelServer, startModelServer } from '../../support/model/model-server.js';
import { startTestService } from '../../support/service.js';
import { command } from '../command.js';
import { dataDirectory, end, type Service, serve, skein, type Variables } from '../program.js';
import { type SeenThread, seenBy } from './content.js';

if (!installedBinDir) console.warn('Skipped: the programs of a PostgreSQL server (postgresql-15) are not installed.');

/** Two servers start, and copies go both ways, which takes a busy machine longer than other tests. */
const slow = { timeout: 180_000 };

let directory: Awaited<ReturnType<typeof dataDirectory>>;
let model: ModelServer;
let token: string;
let file: string;
/** What nobody writes to after the backup has begun. */
let quiet: string[];
let hanging: Sent;
/** What the source showed in the end. */
let seen: Map<string, SeenThread>;

function variables(more: Variables): Variables {
  return { PUBLIC_URL: 'https://skein.test', AI_MODEL: 'compatible:scripted', AI_BASE_URL: model.url, ...more };
}

function clientOf({ url }: { url: string }): RestClient {
  return new RestClient({ origin: url, prefix: '/api/v1', token });
}

beforeAll(async () => {
  directory = await dataDirectory();
  model = await startModelServer();
  const DATA_DIR = join(directory.path, 'source');
  await copySchemaCluster(DATA_DIR);
  const service = await serve(variables({ DATA_DIR }));
  [token] = await service.prints(/skn_pat_[0-9A-Za-z]{36}/);
  quiet = await fill(service);
  model.enqueue([text('Half'), hang()]);
  hanging = await clientOf(service).createThread({ text: 'Never answered here' });
  const load = startLoad(service);
  await vi.waitFor(() => expect(load.answered()).toBeGreaterThan(10), { timeout: 30_000 });
  file = join(directory.path, 'load.skein');
  const atBegin = load.answered();
  const backup = await skein(['backup', file], { DATA_DIR });
  await vi.waitFor(() => expect(load.answered()).toBeGreaterThan(atBegin + 10), { timeout: 30_000 });
  await load.stop();
  expect(backup).toMatchObject({ status: 0, stderr: '' });
  expect(backup.stdout).toMatch(/^\S+load\.skein: [\d,]+ rows of \d+ tables, \d+ kB, read back\n$/);
  seen = await seenBy(service, token);
  await end(service, 'SIGKILL');
  // Its database goes on running; the command stops it.
  expect(await command(['migrate'], { DATA_DIR })).toMatchObject({ status: 0 });
}, 120_000);
afterAll(async () => {
  await model.close();
  await directory.remove();
});

async function fill(service: Service): Promise<string[]> {
  const rest = clientOf(service);
  const first = await rest.readyThread({ text: 'Où est le café?', name: 'Ἑλλάς 東京' });
  const [answer] = await rest.answer(await rest.send(first.threadId, 'A "quoted" \\N \\. \t text'));
  await rest.post(`/threads/${first.threadId}/messages/${answer?.id}/feedback`, {
    positive: true,
    feedback_text: 'Good',
  });
  const secret = await rest.readyThread({ text: 'Mine alone', is_private: true });
  const attachment = await uploadFile({ url: service.url }, { token }, pixel);
  const posted = await createThreadWith({ url: service.url }, { token }, { text: 'See', attachmentIds: [attachment] });
  const [threadId, messageId] = [posted.threadId ?? '', posted.messageId ?? ''];
  await rest.answer({ threadId, messageId });
  return [first.threadId, secret.threadId, threadId];
}

/** Four people who write on and on. */
function startLoad(service: Service): { answered: () => number; stop: () => Promise<void> } {
  const rest = clientOf(service);
  const state = { answered: 0, stopped: false };
  const people = Array.from({ length: 4 }, async () => {
    while (!state.stopped) {
      const { threadId } = await rest.readyThread({ text: 'Hello' });
      await rest.answer(await rest.send(threadId, 'And again'));
      state.answered += 1;
    }
  });
  const stop = async () => {
    state.stopped = true;
    await Promise.all(people);
  };
  return { answered: () => state.answered, stop };
}

/** What a restored service shows is what the source has shown, as far as the backup goes. */
async function expectRestored(service: { url: string }): Promise<void> {
  const rest = clientOf(service);
  expect((await rest.get('/me')).status).toBe(200);
  const restored = await seenBy(service, token);
  for (const id of quiet) expect(restored.get(id)).toEqual(seen.get(id));
  expect(restored.get(quiet[0] ?? '')?.feedback).toContainEqual({
    myFeedback: expect.objectContaining({ text: 'Good' }),
  });
  expect(restored.get(quiet[2] ?? '')?.files).toEqual([Buffer.from(pixel.content).toString('base64')]);
  expect(restored.size).toBeGreaterThan(quiet.length + 10);
  for (const [id, { messages }] of restored) {
    const before = new Map(seen.get(id)?.messages.map((message) => [message.id, message]));
    // An answer that was under way is another message now.
    const known = messages.filter((message) => message.role === 'user' || before.has(message.id));
    expect(known).toEqual(known.map((message) => before.get(message.id)));
  }
  // It was running in the source, which was killed: as after any crash, it is started over.
  expect(await rest.answer(hanging)).toHaveLength(1);
  const next = await rest.answer(await rest.send(quiet[0] ?? '', 'And now?'));
  expect(next).toHaveLength(1);
}

describe('skein restore', () => {
  it('brings back into an empty DATA_DIR what people had written, and the service goes on with it', async () => {
    const DATA_DIR = join(directory.path, 'restored');
    const restored = await command(['restore', file], { DATA_DIR });
    expect(restored).toMatchObject({ status: 0, stderr: '' });
    expect(restored.stdout).toMatch(/^Restored [\d,]+ rows of \d+ tables\.\n$/);
    const service = await serve(variables({ DATA_DIR }));
    try {
      await expectRestored(service);
    } finally {
      await end(service);
    }
  });

  it.skipIf(!installedBinDir)('crosses major versions of PostgreSQL, in both directions', slow, async () => {
    const server = await InstalledPostgres.start();
    try {
      const storage = await server.create('older');
      const DATABASE_URL = storage.url;
      expect(await command(['restore', file], { DATABASE_URL })).toMatchObject({ status: 0 });
      const back = join(directory.path, 'back.skein');
      expect(await command(['backup', back], { DATABASE_URL })).toMatchObject({ status: 0 });
      expect(await rowsOf(back)).toEqual(await rowsOf(file));
      await using older = await startTestService({ storage });
      await expectRestored(older);
      // What it says is what the test before has served: that it can be loaded is all that is left to see.
      await using newer = await createEmptyDatabase();
      expect(await command(['restore', back], { DATABASE_URL: newer.url })).toMatchObject({ status: 0 });
    } finally {
      await server.end();
    }
  });
});

it('skein backup writes a file that only its owner may read, and leaves no other', async () => {
  expect((await stat(file)).mode & 0o777).toBe(0o600);
});

/** All lines of a backup but the first and the last, which tell when and where it was taken. */
async function rowsOf(path: string): Promise<string[]> {
  const parts: Buffer[] = [];
  for await (const part of readBackupFile(path)) parts.push(part);
  return Buffer.concat(parts).toString().trim().split('\n').slice(1, -1).toSorted();
}
