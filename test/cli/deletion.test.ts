/** The commands with which an operator takes leave of a person's data, on a database of its own that DATABASE_URL names. */
import { existsSync } from 'node:fs';
import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, vi } from 'vitest';
import { canMount, mountNote, mountTmpfs } from '../database/embedded/tmpfs.js';
import { createThreadWith, textFile, uploadFile } from '../graphql/attachments/attached-file.js';
import { holding, waitingStatements } from '../support/database/waiting-statements.js';
import { it } from '../support/fixtures/service.js';
import type { Person, TestService } from '../support/service.js';
import { addThread, addThreads, listIds } from '../support/threads.js';
import { command } from './command.js';
import { type Program, skein, start } from './program.js';

const run = (service: TestService, ...words: string[]) => command(words, { DATABASE_URL: service.storage.url });

const printed = (stdout: string) => ({ status: 0, stdout: `${stdout}\n`, stderr: '' });
const refused = (stderr: string) => ({ status: 1, stdout: '', stderr: `${stderr}\n` });
const unsure = (what: string) =>
  refused(`This would delete ${what}, for good. Take a backup if you may need it, and repeat the command with --yes.`);

async function threadWithFile(service: TestService, person: Person) {
  const attachmentIds = [await uploadFile(service, person, textFile('Earl Grey'))];
  const sent = await createThreadWith(service, person, { text: 'Tea?', attachmentIds });
  await person.rest.answer(sent);
  return sent;
}

/** Starts an export, and calls `act` while it waits for its attachments. Returns once it may go on. */
async function stuckExport(
  service: TestService,
  { email, to }: { email: string; to: string },
  act: (program: Program) => void,
): Promise<Program> {
  const { database } = service;
  return database.$transaction(async (holder) => {
    await holder.$executeRaw`LOCK TABLE attachment IN ACCESS EXCLUSIVE MODE`;
    const program = start(['user', 'export', '--email', email, '--to', to], { DATABASE_URL: service.storage.url });
    await expect.poll(() => waitingStatements(database, 'attachment'), { interval: 20 }).toBeGreaterThan(0);
    act(program);
    return program;
  }, holding);
}

it('what takes long tells on a terminal how far it is, and takes that back', async ({ service, folder }) => {
  const [eve, bob] = [await service.person({ org: 'shown' }), await service.person({ org: 'shown' })];
  for (const person of [eve, bob]) await addThreads(service, person, Array<object>(150).fill({}));
  const shown = async (...words: string[]) => {
    const { status, stderr } = await command(words, { DATABASE_URL: service.storage.url }, { isTerminal: true });
    expect({ status, last: stderr.slice(-4) }).toEqual({ status: 0, last: '\r\u001b[K' });
    return stderr.split('\r\u001b[K')[1];
  };
  const to = join(folder, 'shown');
  expect(await shown('user', 'export', '--email', eve.email, '--to', to)).toBe('1 record');
  expect(await shown('user', 'delete', '--email', eve.email, '--yes')).toBe('100 of 150 threads');
  expect(await shown('org', 'delete', '--slug', 'shown', '--yes')).toBe('100 of 150 threads');
});

it('thread delete deletes a thread only with --yes, and refuses one that does not exist', async ({ service, ada }) => {
  const id = await addThread(service, ada);
  expect(await run(service, 'thread', 'delete', id)).toEqual(unsure(`the thread ${id} of ${ada.email}`));
  expect((await ada.rest.get(`/threads/${id}`)).status).toBe(200);
  expect(await run(service, 'thread', 'delete', id, '--yes')).toEqual(printed(`Deleted ${id}.`));
  expect((await ada.rest.get(`/threads/${id}`)).status).toBe(404);
  const gone = await run(service, 'thread', 'delete', id, '--yes');
  expect(gone).toEqual(refused(`The thread ${id} does not exist.`));
});

describe('user export', () => {
  it('writes everything about a person into a new folder, and no secrets', async ({ service, folder }) => {
    const eve = await service.person({ org: 'exported', name: 'Eve' });
    const { threadId, messageId } = await threadWithFile(service, eve);
    const many = 450;
    await addThreads(service, eve, Array<object>(many).fill({}));
    const to = join(folder, 'eve');
    const words = ['user', 'export', '--email', eve.email, '--to', to];
    const finished = await skein(words, { DATABASE_URL: service.storage.url });
    expect(finished).toEqual(printed(`1 user, 1 access_token, ${many + 1} thread, 2 message, 1 attachment`));
    const lines = (await readFile(join(to, 'data.jsonl'), 'utf8')).trimEnd().split('\n');
    const records = lines.map((line) => JSON.parse(line) as Record<string, unknown>);
    const ofType = (type: string) => records.filter((record) => record['type'] === type);
    expect(ofType('user')).toEqual([
      expect.objectContaining({ email: eve.email, name: 'Eve', organization: { slug: 'exported', name: 'exported' } }),
    ]);
    expect(new Set(ofType('thread').map(({ id }) => id))).toEqual(
      new Set(
        await service.database.thread.findMany({ where: { ownerId: eve.id } }).then((all) => all.map(({ id }) => id)),
      ),
    );
    expect(ofType('message').map(({ id, threadId: of, role }) => [of === threadId, role, id === messageId])).toEqual([
      [true, 'user', true],
      [true, 'assistant', false],
    ]);
    const [attachment] = ofType('attachment');
    expect(await readFile(join(to, String(attachment?.['file'])), 'utf8')).toBe('Earl Grey');
    expect((await stat(to)).mode & 0o777).toBe(0o700);
    expect(lines.join('\n')).not.toMatch(/digest|skn_pat_|"password"|"token"/);
    const again = await run(service, ...words);
    expect(again).toEqual(refused(`${to} exists already. Name a folder that does not.`));
    const { stdout } = await run(service, 'audit', '--org', 'exported');
    expect(stdout.match(/data_exported .*/g)).toEqual([`data_exported  by command line  for ${eve.email}`]);
  });

  it('says in one line where it cannot be written', async ({ service, ada, folder }) => {
    const file = join(folder, 'file');
    await writeFile(file, 'mine');
    const places = {
      ENOENT: join(folder, 'none', 'x'),
      ENOTDIR: join(file, 'x'),
      ENAMETOOLONG: join(folder, 'x'.repeat(250)),
    };
    for (const [code, to] of Object.entries(places)) {
      const { status, stdout, stderr } = await run(service, 'user', 'export', '--email', ada.email, '--to', to);
      expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
      expect(stderr).toMatch(new RegExp(`^\\S+ cannot be written: ${code}: .* Choose another place\\.\n$`));
    }
    expect((await readdir(folder)).filter((name) => /^(none|file.|x)/.test(name))).toEqual([]);
  });

  it.skipIf(!canMount)(`leaves nothing on a disk that is full, and says so${mountNote}`, async ({ service }) => {
    const eve = await service.person({ org: 'crowded' });
    await addThreads(service, eve, Array<object>(2_000).fill({}));
    const disk = await mountTmpfs('size=64k');
    const finished = await run(service, 'user', 'export', '--email', eve.email, '--to', join(disk, 'eve'));
    expect(finished).toMatchObject({ status: 1, stdout: '' });
    expect(finished.stderr).toMatch(/^\S+eve cannot be written: ENOSPC: .* Choose a place with enough space\.\n$/);
    expect(await readdir(disk)).toEqual([]);
  });

  it('leaves no folder of that name if killed, and nothing if asked to end', async ({ service, folder }) => {
    const eve = await service.person({ org: 'halted' });
    await threadWithFile(service, eve);
    const to = join(folder, 'halted');
    for (const signal of ['SIGKILL', 'SIGTERM'] as const) {
      const program = await stuckExport(service, { email: eve.email, to }, ({ child }) => child.kill(signal));
      expect(await program.ended).toBe(signal === 'SIGKILL' ? null : 1);
      expect(program.stderr).toBe(signal === 'SIGKILL' ? '' : 'It was stopped, and nothing was written.\n');
      expect(existsSync(to)).toBe(false);
    }
    const left = (await readdir(folder)).filter((name) => name.startsWith('halted'));
    expect(left).toEqual([expect.stringMatching(/^halted\.\d+\.partial$/)]);
  });

  it('refuses an unknown person, and creates nothing', async ({ service, folder }) => {
    const to = join(folder, 'nobody');
    const finished = await run(service, 'user', 'export', '--email', 'nobody@acme.test', '--to', to);
    expect(finished).toEqual(refused('The user nobody@acme.test does not exist.'));
    expect(existsSync(to)).toBe(false);
  });
});

describe('user delete', () => {
  it('deletes a person with everything of theirs only with --yes, and nothing of others', async ({ service }) => {
    const [eve, bob] = [await service.person({ org: 'left' }), await service.person({ org: 'left' })];
    await threadWithFile(service, eve);
    await addThreads(service, eve, Array<object>(250).fill({}));
    const kept = await addThread(service, bob);
    expect(await run(service, 'user', 'delete', '--email', eve.email)).toEqual(unsure(`${eve.email} with 251 threads`));
    const deleted = await run(service, 'user', 'delete', '--email', eve.email, '--yes');
    expect(deleted).toEqual(printed(`Deleted ${eve.email} with 251 threads.`));
    // The service hears of it by a notification, shortly after the command has ended.
    await vi.waitFor(async () => expect((await eve.rest.get('/me')).status).toBe(401), { timeout: 10_000 });
    expect(await listIds(bob.rest)).toEqual([kept]);
    expect(await service.database.attachment.count({ where: { ownerId: eve.id } })).toBe(0);
  });

  it('keeps the only administrator of an organization, unless there is another', async ({ service }) => {
    const eve = await service.person({ org: 'led', role: 'admin' });
    await service.person({ org: 'led' });
    const words = ['user', 'delete', '--email', eve.email, '--yes'];
    const onlyOne = `${eve.email} is the only administrator of led. Create another one with "user create --role admin", or delete the organization with "org delete".`;
    expect(await run(service, ...words)).toEqual(refused(onlyOne));
    expect((await eve.rest.get('/me')).status).toBe(200);
    await service.person({ org: 'led', role: 'admin' });
    await addThread(service, eve);
    expect(await run(service, ...words)).toEqual(printed(`Deleted ${eve.email} with 1 thread.`));
  });
});

it('org delete deletes an organization with its users and threads only with --yes', async ({ service, ada }) => {
  const eve = await service.person({ org: 'closing' });
  await service.person({ org: 'closing' });
  await addThreads(service, eve, [{}, { isPrivate: true }]);
  const kept = await addThread(service, ada);
  const what = 'the organization closing with 2 users and 2 threads';
  expect(await run(service, 'org', 'delete', '--slug', 'closing')).toEqual(unsure(what));
  const deleted = await run(service, 'org', 'delete', '--slug', 'closing', '--yes');
  expect(deleted).toEqual(printed('Deleted closing with 2 users and 2 threads.'));
  expect(await service.database.organization.findUnique({ where: { slug: 'closing' } })).toBeNull();
  expect((await ada.rest.get(`/threads/${kept}`)).status).toBe(200);
  const gone = await run(service, 'org', 'delete', '--slug', 'closing', '--yes');
  expect(gone).toEqual(refused('The organization "closing" does not exist.'));
});

it('org retention states for how many days threads are kept, or that they are kept', async ({ service }) => {
  await service.person({ org: 'brief' });
  const daysOf = async () =>
    (await service.database.organization.findUnique({ where: { slug: 'brief' } }))?.retentionDays;
  expect(await daysOf()).toBeNull();
  const set = await run(service, 'org', 'retention', '--slug', 'brief', '--days', '30');
  expect(set).toEqual(printed('brief keeps threads for 30 days.'));
  expect(await daysOf()).toBe(30);
  expect(await run(service, 'org', 'retention', '--slug', 'brief', '--days', 'off')).toEqual(
    printed('brief keeps its threads.'),
  );
  expect(await daysOf()).toBeNull();
  for (const days of ['0', '36501', '1.5', 'month']) {
    const { status, stderr } = await run(service, 'org', 'retention', '--slug', 'brief', '--days', days);
    expect({ status, stderr }).toEqual({
      status: 64,
      stderr: expect.stringContaining('Give a number from 1 to 36500, or "off".'),
    });
  }
});
