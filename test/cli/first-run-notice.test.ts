/** What a start says on standard output: everything once, then how to get in for as long as nobody was in. */
import { PrismaPg } from '@prisma/adapter-pg';
import pg from 'pg';
import { beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { PrismaClient } from '../../prisma/generated/client/client.js';
import { commandIn, printFirstRunNotice } from '../../src/cli/first-run-notice.js';
import { provisionFirstAdministrator } from '../../src/modules/identity/provision.js';
import { sessionDigest } from '../../src/modules/identity/session.js';
import { withinMs } from '../../src/platform/async/time-limit.js';
import { createTestDatabase } from '../support/database/database.js';
import { runSql } from '../support/server.js';
import { startTestService, type TestService } from '../support/service.js';
import { end, start } from './program.js';

/** What one more start would say. */
async function notice({ service }: TestService): Promise<string> {
  const log = vi.spyOn(console, 'log').mockReturnValue();
  try {
    await printFirstRunNotice(service, 'https://skein.test');
    return log.mock.calls.join('\n');
  } finally {
    log.mockRestore();
  }
}

const command = '\n    npm run --silent skein -- user sign-in-link --email admin@localhost\n';

it('names the command as it is called where the program was installed', () => {
  expect(commandIn('/opt/skein/dist/program')).toBe('npm run --silent skein --');
  expect(commandIn('/opt/skein/node_modules/skein/dist/program')).toBe('npx skein');
});

describe('a start after one', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startTestService();
    return () => service.stop();
  });

  it('that showed the secrets says how to make a new link, and shows none', async () => {
    const first = await notice(service);
    expect(first).toMatch(/auth\/link\?token=/);
    expect(first).toMatch(/skn_pat_/);
    expect(first).not.toContain(command);
    for (const _ of ['the next one', 'and one more']) {
      const next = await notice(service);
      expect(next).toContain(command);
      expect(next).not.toMatch(/token=|skn_pat_/);
    }
  });

  it('says nothing if somebody has access: by a used token, a session, a password or a provider', async () => {
    const { database } = service;
    const { id: userId } = await database.user.findUniqueOrThrow({ where: { email: 'admin@localhost' } });
    const session = { id: 'ses_1', userId, token: sessionDigest('secret'), expiresAt: new Date(Date.now() + 60_000) };
    const account = { id: 'acc_1', userId, providerId: 'openid', issuer: 'x', accountId: 'x' };
    const use = (lastUsedAt: Date | null) => database.accessToken.updateMany({ data: { lastUsedAt } });
    const entries: [() => Promise<unknown>, () => Promise<unknown>][] = [
      [() => use(new Date()), () => use(null)],
      [() => database.session.create({ data: session }), () => database.session.deleteMany()],
      [() => database.account.create({ data: account }), () => database.account.deleteMany()],
    ];
    for (const [enter, leave] of entries) {
      await enter();
      expect(await notice(service)).toBe('');
      await leave();
      expect(await notice(service)).toContain(command);
    }
  });
});

describe('a start that failed after it created the administrator and before it showed the secrets', () => {
  it('is followed by one that says how to sign in', async () => {
    const service = await startTestService();
    onTestFinished(() => service.stop());
    const { database } = service;
    await database.$executeRaw`ALTER TABLE sign_in_link RENAME TO elsewhere`;
    await expect(notice(service)).rejects.toThrow(/sign_in_link/);
    await database.$executeRaw`ALTER TABLE elsewhere RENAME TO sign_in_link`;
    expect(await notice(service)).toContain(command);
  });
});

describe('a start next to another one that is slow to create the administrator', () => {
  it('waits longer than the lock timeout of one statement, and creates none', async () => {
    const { url, drop } = await createTestDatabase();
    const other = new pg.Client({ connectionString: url });
    const adapter = new PrismaPg({ connectionString: url, application_name: 'waiting', lock_timeout: 500 });
    const database = new PrismaClient({ adapter });
    onTestFinished(async () => {
      await Promise.all([other.end(), database.$disconnect()]);
      await drop();
    });
    await other.connect();
    await other.query(
      "BEGIN; LOCK TABLE organization IN EXCLUSIVE MODE; INSERT INTO organization (slug, name) VALUES ('home', 'Home')",
    );
    const waiting =
      "SELECT xact_start::text AS since FROM pg_stat_activity WHERE application_name = 'waiting' AND wait_event_type = 'Lock'";
    const seen = new Set<unknown>();
    const waitsAgain = async () => {
      for (const row of await runSql(url, waiting)) seen.add(Object(row).since);
      expect(seen.size).toBe(2);
    };
    const commit = async () => {
      await vi.waitFor(waitsAgain, { timeout: 30_000 });
      await other.query('COMMIT');
    };
    const [made] = await Promise.all([provisionFirstAdministrator(database, new Date()), commit()]);
    expect(made).toBeNull();
  });
});

/** It comes when the service serves already: a process that stayed after its failure would never say where. */
describe('a database that fails during the lookup of the first administrator', () => {
  it('ends the service with status 1 and one line that says so', async () => {
    await using database = await createTestDatabase();
    await runSql(database.url, 'ALTER TABLE organization RENAME TO elsewhere');
    const program = start(['serve'], { DATABASE_URL: database.url, PORT: '0' });
    onTestFinished(() => end(program, 'SIGKILL').then(() => undefined));
    // Undefined: it still runs.
    expect(await withinMs(50_000, program.ended), program.stderr).toBe(1);
    const fatal = program.stderr.split('\n').filter((line) => line.includes('"level":60'));
    expect(fatal.map((line) => JSON.parse(line))).toMatchObject([{ msg: 'the service could not start' }]);
    expect(program.stderr).not.toContain('serving REST');
    expect(program.stdout).toBe('');
  }, 60_000);
});
