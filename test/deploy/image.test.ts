/**
 * The image has what the program needs: the files that the Dockerfile copies into it are put into a folder, and the program
 * starts there with the image's own words and variables. The balancer of deploy/compose.yaml is checked by HAProxy itself.
 */
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { cp, readdir, stat, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, onTestFinished, vi } from 'vitest';
import { parse } from 'yaml';
import { end, type Program, start, type Variables } from '../cli/program.js';
import { isInstalled } from '../process/reverse-proxy.js';
import { createTestDatabase } from '../support/database/database.js';
import { it as test } from '../support/fixtures/folder.js';
import { freePort } from '../support/network/free-port.js';

const run = promisify(execFile);
const dockerfile = readFileSync('Dockerfile', 'utf8');

const it = test.extend('image', { scope: 'file' }, async ({ folder }) => {
  const image = join(folder, 'image');
  for (const [, line = ''] of dockerfile.matchAll(/^COPY --from=build (\/build\/.+)$/gm)) {
    const paths = line.split(' ');
    const target = paths.pop() ?? '';
    for (const path of paths) {
      const inFolder = target.endsWith('/') ? join(target, basename(path)) : target;
      await cp(path.replace('/build/', ''), join(image, inFolder), { recursive: true });
    }
  }
  return image;
});

/** The words of an instruction, at the beginning of a line or indented, with the Node.js that runs this test. */
function wordsOf(instruction: string): string[] {
  const list = new RegExp(`^${instruction} (\\[.*\\])$`, 'm').exec(dockerfile)?.[1] ?? '[]';
  return (JSON.parse(list) as string[]).map((word) => (word === 'node' ? process.execPath : word));
}

const variables = Object.fromEntries(
  (/^ENV (.*)$/m.exec(dockerfile)?.[1] ?? '').split(' ').map((pair) => pair.split('=') as [string, string]),
);

/** It is killed at the end of the test, if it still runs then. */
function startIn(folder: string, environment: Variables): Program {
  const [, script = '', ...words] = [...wordsOf('ENTRYPOINT'), ...wordsOf('CMD')];
  const program = start(words, { ...variables, ...environment }, { folder, script });
  onTestFinished(async () => void (await end(program, 'SIGKILL')));
  return program;
}

describe('the image', () => {
  it('starts on a PostgreSQL, is healthy, and ends with SIGTERM', { timeout: 120_000 }, async ({ image }) => {
    await using storage = await createTestDatabase();
    const port = String(await freePort());
    const service = startIn(image, { PORT: port, HOST: '127.0.0.1', DATABASE_URL: storage.url, DRAIN_SECONDS: '0' });
    await vi.waitFor(
      async () => expect((await fetch(`http://127.0.0.1:${port}/readyz`)).status, service.stderr).toBe(200),
      { timeout: 60_000, interval: 100 },
    );
    const [program = '', ...words] = wordsOf('  CMD');
    const check = () => run(program, words, { env: { ...variables, PORT: port } });
    await check();
    expect(await end(service), service.stderr).toBe(0);
    await expect(check()).rejects.toMatchObject({ code: 1 });
  });

  it('says that it needs DATABASE_URL', async ({ image }) => {
    const service = startIn(image, {});
    expect(await service.ended).toBe(1);
    expect(service.stderr).toContain('DATABASE_URL');
  });

  it('adds less than 50 MB to Debian and Node.js', async ({ image }) => {
    const entries = await readdir(image, { recursive: true, withFileTypes: true });
    const files = entries.filter((entry) => entry.isFile());
    const sizes = await Promise.all(
      files.map(async ({ parentPath, name }) => (await stat(join(parentPath, name))).size),
    );
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(50_000_000);
  });
});

describe('the balancer of deploy/compose.yaml', () => {
  it.skipIf(!isInstalled('haproxy'))('is valid for HAProxy', async ({ folder }) => {
    const { configs } = parse(readFileSync('deploy/compose.yaml', 'utf8'), { merge: true }) as {
      configs: { haproxy: { content: string } };
    };
    const path = join(folder, 'haproxy.cfg');
    // The names of the nodes resolve only beside them.
    await writeFile(path, configs.haproxy.content.replaceAll(/(one|two):4000/g, '127.0.0.1:4000'));
    const env = { PATH: `${process.env['PATH']}:/usr/sbin` };
    const { stderr } = await run('haproxy', ['-c', '-f', path], { env });
    expect(stderr).not.toMatch(/ALERT|WARNING/);
  });
});
