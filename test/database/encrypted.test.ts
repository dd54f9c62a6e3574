/** A server that takes encrypted connections only, as providers of PostgreSQL run it. */
import { execFileSync } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { readConfig } from '../../src/config.js';
import { createPrismaClient } from '../../src/database/client.js';
import { migrate } from '../../src/database/migrations/migrate.js';
import { InstalledPostgres, installedBinDir } from '../support/database/installed-postgres.js';
import { freePort } from '../support/network/free-port.js';
import { runSql } from '../support/server.js';
import { logger } from '../support/silent-logger.js';
import { temporaryFolder } from '../support/temporary-folder.js';

let folder: string;
let server: InstalledPostgres;
let port: number;

function makeCertificate(name: string): { key: string; certificate: string } {
  const made = { key: join(folder, `${name}.key`), certificate: join(folder, `${name}.pem`) };
  const subject = ['-subj', `/CN=${name}`, '-addext', 'subjectAltName=DNS:localhost', '-days', '2'];
  const files = ['-keyout', made.key, '-out', made.certificate];
  execFileSync('openssl', ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', ...files, ...subject], { stdio: 'ignore' });
  return made;
}

/** The server writes its own files, since it accepts a key of its own account only. */
async function encrypt(url: string, files: Record<string, string>): Promise<void> {
  for (const [name, text] of Object.entries(files))
    await runSql(
      url,
      `COPY (SELECT '${Buffer.from(text).toString('base64')}') TO PROGRAM 'umask 077; base64 -d > ${name}'`,
    );
  await runSql(url, 'ALTER SYSTEM SET ssl = on');
  await runSql(url, 'SELECT pg_reload_conf()');
}

/** What a start makes of this URL: whether its connections are encrypted, or why it does not start. */
async function start(parameters: string): Promise<string> {
  const DATABASE_URL = `postgresql://skein@localhost:${port}/postgres?${parameters}`;
  try {
    const { databaseUrl: url = '' } = readConfig({ DATABASE_URL });
    await migrate({ url, logger });
    const prisma = createPrismaClient({ url, applicationName: 'encrypted', maxConnections: 1, logger });
    const [row] = await prisma.$queryRaw<
      { ssl: boolean }[]
    >`SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()`.finally(() => prisma.$disconnect());
    return row?.ssl ? 'encrypted' : 'plain';
  } catch (error) {
    return String(error);
  }
}

describe.skipIf(!installedBinDir)('a server that takes encrypted connections only', () => {
  let authority: string;
  beforeAll(async () => {
    folder = await temporaryFolder();
    port = await freePort();
    const hba = join(folder, 'pg_hba.conf');
    await writeFile(hba, 'local all all trust\nhostssl all all 127.0.0.1/32 trust\n');
    server = await InstalledPostgres.start({ listen_addresses: '127.0.0.1', port: `${port}`, hba_file: hba });
    const { key, certificate } = makeCertificate('database');
    authority = certificate;
    await encrypt(`postgresql://skein@localhost:${port}/postgres?host=${encodeURIComponent(server.socketDir)}`, {
      'server.key': await readFile(key, 'utf8'),
      'server.crt': await readFile(certificate, 'utf8'),
    });
    return () => server.end();
  });

  it.each(['verify-full', 'verify-ca', 'require', 'prefer'])(
    'is reached with sslmode=%s and its authority, without a warning of the driver',
    async (mode) => {
      const warn = vi.spyOn(process, 'emitWarning');
      onTestFinished(() => warn.mockRestore());
      expect(await start(`sslmode=${mode}&sslrootcert=${authority}`)).toBe('encrypted');
      expect(warn).not.toHaveBeenCalled();
    },
  );

  it('is reached without looking at its certificate', async () => {
    expect(await start('sslmode=no-verify')).toBe('encrypted');
  });

  it.each(['verify-full', 'require'])('is not trusted without its authority, with sslmode=%s', async (mode) => {
    expect(await start(`sslmode=${mode}`)).toMatch(/could not be encrypted: self-signed .* Add sslrootcert=FILE/);
  });

  it('is not trusted with another authority', async () => {
    const { certificate } = makeCertificate('another');
    expect(await start(`sslmode=verify-full&sslrootcert=${certificate}`)).toMatch(/Add sslrootcert=FILE/);
  });

  it.each(['', 'sslmode=disable'])('says so to a URL that does not ask for it: %j', async (parameters) => {
    expect(await start(parameters)).toMatch(/takes encrypted connections only. Add sslmode=verify-full/);
  });
});
