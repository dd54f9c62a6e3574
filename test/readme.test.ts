/**
 * Every command of the README is run, in its order, in one shell, on a service that was started as the README says. Two things
 * differ from a reader's machine: `npm ci` has been run already, and the port and the data directory are the test's own.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { freePort } from './support/free-port.js';

const readme = readFileSync('README.md', 'utf8');
const blocks = [...readme.matchAll(/```sh\n([\s\S]*?)```/g)].map(([, block = '']) => block.trim());
const [startCommand, exportCommand, ...commands] = blocks;

let dataDir: string;
let port: number;
let server: ChildProcess;
let printed = '';

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'skein-readme-'));
  port = await freePort();
  server = spawn('bash', ['-c', `exec ${startCommand?.replace('npm ci && ', '')}`], {
    env: { ...process.env, PORT: String(port), DATA_DIR: dataDir },
    detached: true,
  });
  server.stdout?.on('data', (chunk) => {
    printed += chunk;
  });
  await vi.waitFor(() => expect(printed).toContain('curl'), { timeout: 110_000, interval: 50 });
}, 120_000);

afterAll(async () => {
  // npm itself may be gone before the service is: the pipes are closed when the last process of the group has ended.
  const ended = new Promise((resolve) => server.once('close', resolve));
  if (server.pid) process.kill(-server.pid, 'SIGTERM');
  await ended;
  await rm(dataDir, { recursive: true, force: true });
});

describe('README', () => {
  it('begins with the two commands and the token', () => {
    expect(startCommand).toBe('npm ci && npm start');
    expect(exportCommand).toBe('export SKEIN_TOKEN=skn_pat_...');
  });

  it('says nothing that does not work', { timeout: 300_000 }, async () => {
    const token = /skn_pat_[0-9A-Za-z]{36}/.exec(printed)?.[0];
    const script = commands.map((block, index) => `echo "== block ${index}"\n${block}\n`).join('\n');
    const { code, output } = await runShell(script.replaceAll('localhost:4000', `127.0.0.1:${port}`), token ?? '');
    expect(code, output).toBe(0);
    const said = output.split(/== block \d+\n/).slice(1);
    const outputOf = (start: string) =>
      said[commands.findIndex((block) => block.startsWith(start))] ?? `nothing ran ${start}`;

    expect(outputOf('curl -s http://localhost:4000/api/v1/me')).toContain('"role":"admin"');
    expect(outputOf('CREATED=')).toMatch(/"thread_id":"thr_.*"message_id":"msg_/);
    expect(outputOf('skein "/threads/$THREAD/messages/$MESSAGE/response/stream"')).toMatch(
      /event: token[\s\S]*event: done/,
    );
    expect(outputOf('MESSAGE=$(skein "/threads/$THREAD/messages" -d \'{"text": "ask')).toContain('user_get_choice');
    expect(outputOf('MESSAGE=$(skein "/threads/$THREAD/messages" -d \'{"text": "The')).toContain('event: done');
    expect(outputOf('ANSWER=')).toMatch(/^204\n[\s\S]*"has_more":true[\s\S]*"name":"First thread"/);
    expect(outputOf('curl -sS http://localhost:4000/graphql')).toContain('"name":"First thread"');
    expect(outputOf('curl -sS -N')).toContain('ResponseDone');
    expect(outputOf('skein /threads/thr_unknown')).toContain('"code":"not_found"');
    expect(outputOf('CHAOS_SECONDS')).toContain('1 passed');
    expect(outputOf('npm run --silent skein -- thread')).toMatch(/is ready[\s\S]*queued[\s\S]*started[\s\S]*succeeded/);
    expect(outputOf('npm run --silent skein -- org')).toMatch(/acme\nusr_.*\nskn_pat_.*\ntok_/);
  });
});

function runShell(script: string, token: string): Promise<{ code: number | null; output: string }> {
  return new Promise((resolve) => {
    const shell = spawn('bash', ['-e', '-c', script], {
      env: { ...process.env, SKEIN_TOKEN: token, DATA_DIR: dataDir, NO_COLOR: '1' },
    });
    let output = '';
    const collect = (chunk: Buffer) => {
      output += chunk;
    };
    shell.stdout.on('data', collect);
    shell.stderr.on('data', collect);
    shell.on('close', (code) => resolve({ code, output }));
  });
}
