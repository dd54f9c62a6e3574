/** What the command line says of itself, and what it refuses: before anything starts, all at once, and without a secret. */
import { readFile } from 'node:fs/promises';
import { describe, expect, inject, it } from 'vitest';
import { createTestDatabase } from '../support/database/database.js';
import { databaseUrl, runSql } from '../support/server.js';
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

const wrong = {
  PORT: '99999',
  PROCESSES: 'auto',
  ROLE: 'boss',
  PUBLIC_URL: 'skein',
  AI_MODEL: 'oracle',
  LOG_LEVEL: 'loud',
  DATABASE_URL: 'mysql://ada:hunter2@db/skein',
};

describe('a configuration that cannot be used', () => {
  it.each([
    ['serve', skein],
    ['migrate', command],
    ['token list --email a@b.c', command],
  ] as const)('ends "skein %s" with status 78 and every problem', async (line, start) => {
    const { status, stdout, stderr } = await start(line.split(' '), wrong);
    expect({ status, stdout }).toEqual({ status: 78, stdout: '' });
    const [title, ...problems] = stderr.trim().split('\n');
    expect(title).toBe('The configuration is invalid:');
    const named = problems.map((problem) => /^ {2}- ([A-Z_]+): /.exec(problem)?.[1]);
    expect(named.toSorted()).toEqual(Object.keys(wrong).toSorted());
    expect(stderr).not.toContain('hunter2');
  });
});

describe('a database that cannot be used', () => {
  const at = (place: string) => () => `postgresql://ada:hunter2@${place}/skein`;
  const nothing = () => databaseUrl(inject('testServerUrl'), 'nothing');
  const unusable: [what: string, url: () => string, message: string][] = [
    ['nobody listens', at('127.0.0.1:1'), 'The database cannot be reached at 127.0.0.1, port 1.'],
    ['the host is unknown', at('nowhere.invalid'), 'The database cannot be reached at nowhere.invalid, port 5432.'],
    ['there is no such database', nothing, 'The database server has no database "nothing".'],
  ];

  it.each(unusable)('ends a command and says what to do: %s', async (_what, url, message) => {
    const { status, stdout, stderr } = await command(['migrate'], { DATABASE_URL: url() });
    expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
    expect(stderr.slice(0, message.length)).toBe(message);
    expect(stderr).not.toMatch(/hunter2|\n {4}at /);
  });

  it('ends the service with the same message in its log', async () => {
    const { status, stdout, stderr } = await skein(['serve'], {
      DATABASE_URL: 'postgresql://ada:hunter2@127.0.0.1:1/skein',
      PORT: '0',
    });
    expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
    expect(JSON.parse(stderr.trim().split('\n').at(-1) ?? '')).toMatchObject({
      level: 60,
      msg: expect.stringMatching(/^The database cannot be reached/),
    });
    expect(stderr).not.toContain('hunter2');
  });

  it('ends the first start of the service with the words of a database that is read-only', async () => {
    await using database = await createTestDatabase();
    const { url } = database;
    await runSql(url, `ALTER DATABASE ${new URL(url).pathname.slice(1)} SET default_transaction_read_only = on`);
    const { status, stderr } = await skein(['serve'], { DATABASE_URL: url, PORT: '0' });
    const { level, msg, err } = JSON.parse(stderr.trim().split('\n').at(-1) ?? '');
    expect({ status, level, err }).toEqual({ status: 1, level: 60, err: undefined });
    expect(msg).toMatch(
      /^The database failed: cannot execute INSERT .*transaction\. Start Skein again when it works\.$/,
    );
  });
});
