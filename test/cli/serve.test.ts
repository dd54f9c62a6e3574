import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { GraphQLClient } from '../support/clients/graphql-client.js';
import { RestClient } from '../support/clients/rest-client.js';
import type { IdentityBody } from '../support/clients/rest-types.js';
import { command } from './command.js';
import { dataDirectory, end, type Finished, type Service, serve, skein, start } from './program.js';

const anyToken = /skn_pat_[0-9A-Za-z]{36}/g;

let directory: Awaited<ReturnType<typeof dataDirectory>>;
let DATA_DIR: string;
let service: Service;
beforeAll(async () => {
  directory = await dataDirectory();
  DATA_DIR = directory.path;
  service = await serve({ DATA_DIR });
  await service.prints(/Try it:/);
});
afterAll(async () => {
  await end(service);
  await directory.remove();
});

function run(line: string): Promise<Finished> {
  return command(line.split(' '), { DATA_DIR });
}

async function me(token: string): Promise<{ status: number; body: IdentityBody }> {
  return new RestClient({ origin: service.url, prefix: '/api/v1', token }).get<IdentityBody>('/me');
}

function lastLine(log: string): { level: number; msg: string } {
  return JSON.parse(log.trim().split('\n').at(-1) ?? '');
}

describe('the first start', () => {
  it('shows the sign-in and one token that works, on standard output and not in the log', async () => {
    const [token = '', ...others] = new Set(service.stdout.match(anyToken) ?? []);
    expect(others).toEqual([]);
    expect(service.stdout).toMatch(/organization +home\n +administrator +admin@localhost\n/);
    expect(service.stdout).toContain(`curl -H "Authorization: Bearer $SKEIN_TOKEN" ${service.url}/api/v1/me`);
    expect(await me(token)).toMatchObject({ status: 200, body: { email: 'admin@localhost', role: 'admin' } });
    expect(service.stderr).not.toContain('skn_pat_');
  });

  it('shows a link that signs the administrator in, once', async () => {
    const [link = ''] = /http:\S+\/auth\/link\?token=\S+/.exec(service.stdout) ?? [];
    const secret = new URL(link).searchParams.get('token');
    const signIn = () =>
      fetch(`${service.url}/auth/sign-in/link`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ token: secret }),
      });
    const first = await signIn();
    expect(first.status).toBe(200);
    const [cookie = ''] = first.headers.getSetCookie();
    expect(cookie).toMatch(/^skein\.session_token=/);
    const session = await fetch(`${service.url}/auth/get-session`, { headers: { cookie } });
    expect(await session.json()).toMatchObject({ user: { email: 'admin@localhost' } });
    expect((await signIn()).status).toBe(410);
    expect(service.stderr).not.toContain(secret);
  });
});

describe('the service while it runs', () => {
  it('shares its database with the commands', async () => {
    const token = (await run('token create --email admin@localhost --name CI')).stdout.trim();
    expect((await me(token)).status).toBe(200);
    const { stdout } = await run('token list --email admin@localhost');
    const [id = ''] =
      stdout
        .split('\n')
        .find((line) => line.endsWith('  CI'))
        ?.split(' ') ?? [];
    expect(await run(`token revoke ${id}`)).toEqual({ status: 0, stdout: `${id} revoked\n`, stderr: '' });
    // The service hears of it by a notification, shortly after the command has ended.
    await vi.waitFor(async () => expect((await me(token)).status).toBe(401), { timeout: 10_000 });
    expect((await new GraphQLClient({ origin: service.url, token }).run('{ me { sub } }')).status).toBe(401);
  });

  it('makes a link to sign in for a user, and for nobody else', async () => {
    const { status, stdout, stderr } = await run('user sign-in-link --email Admin@localhost');
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(stdout).toMatch(/^http:\/\/localhost:\d+\/auth\/link\?token=[\w-]{43}\n$/);
    expect(await run('user sign-in-link --email nobody@localhost')).toEqual({
      status: 1,
      stdout: '',
      stderr: 'The user nobody@localhost does not exist.\n',
    });
  });

  it('does not share its data directory with another service', async () => {
    const { status, stdout, stderr } = await skein(['serve'], { DATA_DIR, PORT: '0' });
    expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
    expect(lastLine(stderr)).toMatchObject({ level: 60, msg: expect.stringContaining(String(service.child.pid)) });
  });
});

describe('the service when it is stopped and started again', () => {
  it('ends with status 0 on SIGTERM, and leaves its database to the commands', async () => {
    expect(await end(service)).toBe(0);
    const { status, stdout, stderr } = await run('token list --email admin@localhost');
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(stdout.trim().split('\n')).toHaveLength(2);
  });

  it('shows no sign-in and no token again, and ends with status 0 on SIGINT', async () => {
    const [token = ''] = service.stdout.match(anyToken) ?? [];
    service = await serve({ DATA_DIR });
    expect((await me(token)).status).toBe(200);
    expect(await end(service, 'SIGINT')).toBe(0);
    expect(service.stdout).toBe('');
    expect(service.stderr).not.toContain('skn_pat_');
  });
});

describe('a start that is told to end', () => {
  it.each(['1', '2'])('ends cleanly with its database, with PROCESSES=%s', { timeout: 60_000 }, async (PROCESSES) => {
    const { path, remove } = await dataDirectory();
    onTestFinished(remove);
    const program = start(['serve'], { DATA_DIR: path, PORT: '0', PROCESSES, LOG_LEVEL: 'debug' });
    await program.says(/migration applied/);
    expect(await end(program, 'SIGINT'), program.stderr).toBe(0);
    expect(existsSync(join(path, 'postgres/postmaster.pid'))).toBe(false);
  });
});
