/** Each command with good and with bad input, on a database of its own that is named by DATABASE_URL. */
import { beforeAll, describe, expect, it } from 'vitest';
import { createOrganization, createUser } from '../../src/modules/identity/provision.js';
import { issueToken } from '../../src/modules/identity/tokens/manage-tokens.js';
import { createEmptyDatabase } from '../support/database/database.js';
import { openedDatabase } from '../support/database/opened-database.js';
import { runSql } from '../support/server.js';
import { command } from './command.js';
import { type Finished, skein } from './program.js';

const storage = openedDatabase();
beforeAll(async () => {
  await createOrganization(storage.client, { slug: 'acme', name: 'Acme' });
  await createUser(storage.client, { organizationSlug: 'acme', email: 'ada@acme.test', name: 'Ada', role: 'admin' });
});

/** Runs a command line that has no spaces within a word. */
function run(line: string): Promise<Finished> {
  return command(line.split(' '), { DATABASE_URL: storage.url });
}

function success(stdout: string): Finished {
  return { status: 0, stdout: `${stdout}\n`, stderr: '' };
}

/** A refusal by the command itself: one line on standard error. */
function refusal(message: string): Finished {
  return { status: 1, stdout: '', stderr: `${message}\n` };
}

describe('org create', () => {
  it('creates an organization and prints its id and slug', async () => {
    const words = ['org', 'create', '--slug', 'globex', '--name', 'Globex'];
    const finished = await skein(words, { DATABASE_URL: storage.url });
    const made = await storage.client.organization.findUniqueOrThrow({ where: { slug: 'globex' } });
    expect(finished).toEqual(success(`${made.id} globex`));
    expect(made.name).toBe('Globex');
  });

  it('refuses a slug that is taken or not valid in a URL', async () => {
    expect(await run('org create --slug acme --name A')).toEqual(refusal('The organization "acme" already exists.'));
    for (const slug of ['Acme', 'ac_me', '-acme', 'acme-', '', 'a'.repeat(64)]) {
      await expect(createOrganization(storage.client, { slug, name: 'A' })).rejects.toThrow(
        `"${slug}" is not a valid slug. Use 1 to 63`,
      );
    }
  });
});

it('a database that goes away while a command runs is named in one line', async () => {
  await runSql(
    storage.url,
    `CREATE FUNCTION go_away() RETURNS trigger LANGUAGE plpgsql
       AS 'BEGIN PERFORM pg_terminate_backend(pg_backend_pid()); RETURN NEW; END'`,
    `CREATE TRIGGER go_away BEFORE INSERT ON sign_in_link EXECUTE FUNCTION go_away()`,
  );
  const { status, stdout, stderr } = await run('user sign-in-link --email ada@acme.test');
  await runSql(storage.url, 'DROP FUNCTION go_away CASCADE');
  expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
  expect(stderr.split('\n').filter((line) => !line.startsWith('{'))).toEqual([
    'The database failed: terminating connection due to administrator command. Check whether the command took effect, then run it again.',
    '',
  ]);
});

describe('user create', () => {
  it('creates a user, by default a member', async () => {
    const finished = await run('user create --org acme --email Bob@Acme.test');
    const bob = await storage.client.user.findUniqueOrThrow({ where: { email: 'bob@acme.test' } });
    expect(finished).toEqual(success(`${bob.id} bob@acme.test`));
    expect(bob).toMatchObject({ role: 'member', name: null });
  });

  it('refuses an unknown organization, a taken address and an invalid one', async () => {
    const user = { organizationSlug: 'acme', name: null, role: 'member' } as const;
    const unknown = await run('user create --org nobody --email c@acme.test --role admin --name C');
    expect(unknown).toEqual(refusal('The organization "nobody" does not exist.'));
    const taken = createUser(storage.client, { ...user, email: 'ADA@acme.test' });
    await expect(taken).rejects.toThrow('The user ada@acme.test already exists.');
    for (const email of ['ada', '@acme.test', 'a da@acme.test', '']) {
      await expect(createUser(storage.client, { ...user, email })).rejects.toThrow(
        `"${email}" is not a valid e-mail address.`,
      );
    }
  });
});

it('org list prints a line for each organization', async () => {
  const { id } = await createOrganization(storage.client, { slug: 'told', name: 'Told\nof' });
  await storage.client.organization.update({ where: { id }, data: { retentionDays: 30 } });
  const { stdout } = await run('org list');
  const lines = stdout.trimEnd().split('\n');
  expect(lines).toContain('told  retention 30  Told of');
  expect(lines).toHaveLength(await storage.client.organization.count());
  expect(stdout).toMatch(/^acme {2}retention off {2}/m);
});

it('user list prints a line for each user of an organization, present or removed', async () => {
  await createOrganization(storage.client, { slug: 'listed', name: 'Listed' });
  const add = (name: string | null, email: string) =>
    createUser(storage.client, { organizationSlug: 'listed', name, email, role: name === null ? 'member' : 'admin' });
  const [ann, ben] = [await add('Ann\nLee', 'ann@listed.test'), await add(null, 'ben@listed.test')];
  const removedAt = new Date('2026-03-01T12:00:00Z');
  const { id } = await storage.client.user.update({
    where: { id: (await add('Cy', 'cy@listed.test')).id },
    data: { removedAt },
  });
  const lines = [
    `${ann.id}  ann@listed.test  admin  Ann Lee`,
    `${ben.id}  ben@listed.test  member`,
    `${id}  cy@listed.test  removed 2026-03-01  Cy`,
  ];
  expect(await run('user list --org listed')).toEqual(success(lines.join('\n')));
  expect(await run('user list --org nobody')).toEqual(refusal('The organization "nobody" does not exist.'));
});

describe('token create', () => {
  it('prints the token alone, by default for 90 days and every scope but tokens:write', async () => {
    const askedMs = Date.now();
    const { stdout, ...rest } = await run('token create --email ada@acme.test');
    const createdMs = Date.now();
    expect(rest).toEqual({ status: 0, stderr: '' });
    expect(stdout).toMatch(/^skn_pat_[0-9A-Za-z]{36}\n$/);
    const token = await storage.client.accessToken.findFirstOrThrow({ where: { lastFour: stdout.trim().slice(-4) } });
    expect(token.scopes).toEqual(['me:read', 'threads:read', 'threads:write', 'feedback:write']);
    const lifetimeMs = 90 * 86_400_000;
    expect(token.expiresAt?.getTime()).toBeGreaterThanOrEqual(askedMs + lifetimeMs);
    expect(token.expiresAt?.getTime()).toBeLessThanOrEqual(createdMs + lifetimeMs);
  });

  it('accepts a name, scopes and a lifetime', async () => {
    const options = '--name=CI --scopes me:read,threads:read --expires-in never';
    const { stdout } = await run(`token create --email ADA@acme.test ${options}`);
    const lastFour = stdout.trim().slice(-4);
    const token = await storage.client.accessToken.findFirstOrThrow({ where: { name: 'CI' } });
    expect(token).toMatchObject({ lastFour, scopes: ['me:read', 'threads:read'], expiresAt: null });
  });

  it('refuses somebody who does not exist', async () => {
    const message = 'The user nobody@acme.test does not exist.';
    expect(await run('token create --email nobody@acme.test')).toEqual(refusal(message));
  });

  it.each([
    [
      '--scopes all',
      /Unknown scope: all\. Scopes: me:read, threads:read, threads:write, feedback:write, tokens:write\./,
    ],
    ['--expires-in 0d', /Use days, for example 90d, or never\./],
  ])('refuses %s as a command line that is not valid', async (options, stderr) => {
    const outcome = await run(`token create --email ada@acme.test ${options}`);
    expect(outcome).toMatchObject({ status: 64, stdout: '', stderr: expect.stringMatching(stderr) });
  });
});

describe('token list and token revoke', () => {
  it('list one token a line, id first, and end a token permanently', async () => {
    const eve = { organizationSlug: 'acme', email: 'eve@acme.test', name: null, role: 'member' } as const;
    const { id: userId } = await createUser(storage.client, eve);
    const expiresAt = new Date('2040-01-02T03:04:05Z');
    const name = 'two\nlines \u001b[31mred';
    const { token } = await issueToken(storage.client, { userId, name, scopes: ['me:read'], expiresAt });
    const line = `${token.id}  …${token.lastFour}  expires 2040-01-02  used never  me:read  two lines  [31mred`;
    expect(await run('token list --email eve@acme.test')).toEqual(success(line));
    const askedMs = Date.now();
    expect(await run(`token revoke ${token.id}`)).toEqual(success(`${token.id} revoked`));
    const answeredMs = Date.now();
    const { revokedAt } = await storage.client.accessToken.findUniqueOrThrow({ where: { id: token.id } });
    expect(revokedAt?.getTime()).toBeGreaterThanOrEqual(askedMs);
    expect(revokedAt?.getTime()).toBeLessThanOrEqual(answeredMs);
    expect(await run(`token revoke ${token.id}`)).toEqual(refusal(`There is no valid token ${token.id}.`));
  });

  it('refuse an unknown user', async () => {
    expect(await run('token list --email nobody@acme.test')).toEqual(
      refusal('The user nobody@acme.test does not exist.'),
    );
  });
});

it('migrate brings an empty database to the schema of this version', async () => {
  await using empty = await createEmptyDatabase();
  const finished = await command(['migrate'], { DATABASE_URL: empty.url });
  expect(finished).toMatchObject({ status: 0, stdout: 'The database is up to date.\n' });
});
