/** What the command line says of itself, and how it refuses what it does not understand: before it touches a database. */
import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { command } from './command.js';
import { skein } from './program.js';

/** Any command that came as far as a database would fail with another status. */
const noDatabase = { DATABASE_URL: 'postgresql://nobody:hunter2@127.0.0.1:1/none' };

const helps: [command: string, words: RegExp[], start: typeof skein][] = [
  ['', [/\bserve\b/, /\bmigrate\b/, /\borg\b/, /\buser\b/, /\btoken\b/], skein],
  ['token create', [/--email/, /--name/, /--scopes/, /--expires-in/, /90d/], command],
];

it.each(helps)('--help describes "skein %s" on standard output', async (line, words, start) => {
  const { status, stdout, stderr } = await start([...line.split(' ').filter(Boolean), '--help'], noDatabase);
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  for (const word of words) expect(stdout).toMatch(word);
  expect(stdout).not.toContain('\u001b');
});

it('--version prints the version of the package', async () => {
  const { version } = JSON.parse(await readFile('package.json', 'utf8')) as { version: string };
  for (const word of ['--version', '-V']) {
    expect(await command([word], noDatabase)).toEqual({ status: 0, stdout: `${version}\n`, stderr: '' });
  }
});

const refusals: [words: string[], message: string][] = [
  [[], 'Commands:\n  serve'],
  [['token'], 'Commands:\n  create'],
  [['user', 'create', '--org', 'acme', '--email', 'a@b.c', '--role', 'boss'], 'Allowed choices are admin, member.'],
  [['nothing'], "unknown command 'nothing'"],
  [['constructor'], "unknown command 'constructor'"],
  [['help'], "unknown command 'help'"],
  [['token', 'make'], "unknown command 'make'"],
  [['token', 'create'], "required option '--email <address>' not specified"],
  [['token', 'create', '--email'], "option '--email <address>' argument missing"],
  [['token', 'create', '--email='], "option '--email <address>' argument '' is invalid. It is empty."],
  [
    ['token', 'create', '--email', '--name=CI'],
    "'--name=CI' is invalid. It starts with a dash, so the value is missing.",
  ],
  [['token', 'revoke'], "missing required argument 'id'"],
  [['token', 'revoke', ''], "argument 'id'. It is empty."],
  [['user', 'create', '--name', ' \t'], 'It is empty.'],
  [['user', 'create', '--name', 'x'.repeat(256)], 'It has more than 255 characters.'],
  [['token', 'revoke', 'tok_1', 'tok_2'], "too many arguments for 'revoke'. Expected 1 argument but got 2."],
  [['org', 'create', '--name', 'Acme', 'acme'], "required option '--slug <slug>' not specified"],
  [['user', 'create', '--org', 'acme', '--email', 'a@b.c', '--roel', 'admin'], "unknown option '--roel'"],
  [['user', 'create', '--org', 'acme', '--email', 'a@b.c', '--rol', 'admin'], "unknown option '--rol'"],
  [['user', 'create', '--org', 'acme', '--email', 'a@b.c', '--name', '--role=admin'], "'--role=admin' is invalid."],
  [['serve', '--port', '80'], "unknown option '--port'"],
  [['migrate', 'now'], "too many arguments for 'migrate'. Expected 0 arguments but got 1."],
];

describe('a command line that cannot be understood', () => {
  it.each(refusals)('ends with status 64, the reason and the usage on standard error: %j', async (words, message) => {
    const { status, stdout, stderr } = await command(words, noDatabase);
    expect({ status, stdout }).toEqual({ status: 64, stdout: '' });
    expect(stderr).toContain(message);
    expect(stderr).toMatch(/^Usage: skein /m);
    expect(stderr).not.toMatch(/\n {4}at |node_modules|\u001b/);
  });

  it.each([
    ['token create --email a@b.c --name=CI --scopes me:read --expires-in 7d'],
    ['token revoke tok_1'],
    ['user create --org acme --email a@b.c --role admin'],
  ])('is not this one, which comes as far as the database: %s', async (line) => {
    const { status, stderr } = await command(line.split(' '), noDatabase);
    expect({ status, stderr }).toEqual({ status: 1, stderr: expect.stringMatching(/^The database cannot be reached/) });
  });
});
