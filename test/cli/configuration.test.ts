/** All problems of the environment are reported at once, before anything starts, and without a secret. */
import { describe, expect, inject, it } from 'vitest';
import { createTestDatabase } from '../support/database/database.js';
import { databaseUrl, runSql } from '../support/server.js';
import { command } from './command.js';
import { skein } from './program.js';

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
