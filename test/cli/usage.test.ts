/** What the command line says of itself, and how it refuses what it does not understand: before it touches a database. */
import { describe, expect, it } from 'vitest';
import { checkWords, findCommand, UsageError } from '../../src/cli/command-line.js';
import { skein as program } from '../../src/cli/skein.js';
import { skein } from './program.js';

/** Any command that came as far as a database would fail with another status. */
const noDatabase = { DATABASE_URL: 'postgresql://nobody:hunter2@127.0.0.1:1/none' };

const helps: [command: string, words: RegExp[]][] = [
  ['', [/\bserve\b/, /\bmigrate\b/, /\borg\b/, /\buser\b/, /\btoken\b/]],
  ['token create', [/--email/, /--name/, /--scopes/, /--expires-in/, /90d/]],
];

describe('--help', () => {
  it.each(helps)('describes "skein %s" on standard output', async (command, words) => {
    const { status, stdout, stderr } = await skein([...command.split(' ').filter(Boolean), '--help'], noDatabase);
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    for (const word of words) expect(stdout).toMatch(word);
    expect(stdout).not.toContain('\u001b');
  });
});

const refusals: [words: string[], message: string][] = [
  [[], 'A command is required: serve, '],
  [['nothing'], 'Unknown command "nothing". Commands: serve, '],
  [['constructor'], 'Unknown command "constructor".'],
  [['token'], 'A command is required: create, list, revoke.'],
  [['token', 'make'], 'Unknown command "make". Commands: create, list, revoke.'],
  [['token', 'create'], 'Missing: --email.'],
  [['token', 'create', '--email'], "Option '--email <value>' argument missing"],
  [['token', 'create', '--email='], 'Missing: --email.'],
  [['token', 'revoke'], 'Missing: ID.'],
  [['token', 'revoke', 'tok_1', 'tok_2'], 'Too many arguments: tok_2'],
  [['org', 'create', '--name', 'Acme', 'acme'], 'Missing: --slug.'],
  [['org', 'create'], 'Missing: --slug, --name.'],
  [['user', 'create', '--org', 'acme', '--email', 'a@b.c', '--roel', 'admin'], "Unknown option '--roel'"],
  [['serve', '--port', '80'], "Unknown option '--port'"],
  [['migrate', 'now'], 'Too many arguments: now'],
];

describe('a command line that cannot be understood', () => {
  it.each(refusals)('is refused with the reason: %j', async (words, message) => {
    const refused = checkWords(await findCommand(program, words));
    await expect(refused).rejects.toThrow(UsageError);
    await expect(refused).rejects.toThrow(message);
  });

  const written: [words: string[], message: string][] = [
    [['make'], 'Unknown command "make".'],
    [['user', 'create', '--org', 'acme', '--email', 'a@b.c', '--roel', 'admin'], "Unknown option '--roel'"],
    [['user', 'create', '--org', 'acme', '--email', 'a@b.c', '--role', 'boss'], 'Expected one of: admin, member.'],
  ];

  it.each(written)('ends with status 64, the reason and the usage on standard error: %j', async (words, message) => {
    const { status, stdout, stderr } = await skein(words, noDatabase);
    expect({ status, stdout }).toEqual({ status: 64, stdout: '' });
    expect(stderr).toContain(message);
    expect(stderr).toContain('USAGE');
    expect(stderr).not.toMatch(/\n {4}at |node_modules|\u001b/);
  });

  it.each([
    ['token create --email a@b.c --name=CI --scopes me:read --expires-in 7d'],
    ['token revoke tok_1'],
    ['user create --org acme --email a@b.c --role admin'],
    ['serve'],
  ])('is not this one: %s', async (line) => {
    await checkWords(await findCommand(program, line.split(' ')));
  });
});
