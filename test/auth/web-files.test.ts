/** The web application as it is served: its page for people, its files for good, and nothing for programs. */
import { mkdir, readdir, readFile, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { brotliCompressSync, brotliDecompressSync, gunzipSync, gzipSync } from 'node:zlib';
import { describe, expect } from 'vitest';
import { serviceTest } from '../support/fixtures/service.js';
import type { TestService } from '../support/service.js';

const page = '<!doctype html><title>Skein</title><div id="root"></div>';
const script = `console.log(${JSON.stringify('x'.repeat(5000))});`;

const it = serviceTest().extend('service', { scope: 'file' }, async ({ folder, startService }) => {
  await mkdir(join(folder, 'assets'));
  await writeFile(join(folder, 'index.html'), page);
  await writeFile(join(folder, 'assets/main-AbC123.js'), script);
  await writeFile(join(folder, 'assets/main-AbC123.js.br'), brotliCompressSync(script));
  await writeFile(join(folder, 'assets/main-AbC123.js.gz'), gzipSync(script));
  await writeFile(join(folder, 'assets/plain-AbC123.js'), script);
  await writeFile(join(folder, '.made'), '');
  return startService({ settings: { webFolder: folder } });
});

function ask(
  service: TestService,
  path: string,
  headers: Record<string, string> = {},
  method = 'GET',
): Promise<Response> {
  return fetch(new URL(path, service.url), { method, headers: { accept: 'text/html,*/*;q=0.8', ...headers } });
}

describe('the page', () => {
  it.for(['/', '/threads/thr_1', '/threads/thr_1/messages/msg_1', '/settings/tokens', '/no/such/page'])(
    'is served at %s, under a policy that lets nothing foreign in',
    async (path, { service }) => {
      const response = await ask(service, path);
      expect(response.status).toBe(200);
      expect(await response.text()).toBe(page);
      expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
      expect(response.headers.get('cache-control')).toBe('no-cache');
      expect(response.headers.get('x-content-type-options')).toBe('nosniff');
      const policy = response.headers.get('content-security-policy') ?? '';
      for (const rule of ["default-src 'self'", "script-src 'self'", "object-src 'none'", "frame-ancestors 'none'"]) {
        expect(policy.split('; ')).toContain(rule);
      }
      expect(policy).not.toMatch(/unsafe|\*|https?:/);
    },
  );

  it('is not sent again while it is unchanged', async ({ service }) => {
    const etag = (await ask(service, '/')).headers.get('etag') ?? '';
    expect((await ask(service, '/', { 'if-none-match': etag, 'cache-control': 'max-age=0' })).status).toBe(304);
  });

  it('is replaced after a build without a restart, once the build is complete', async ({ folder, service }) => {
    const name = join(folder, 'index.html');
    const complete = (atMs: number) => utimes(join(folder, '.made'), new Date(), new Date(atMs));
    await writeFile(name, `${page}<!-- new -->`);
    await utimes(name, new Date(), new Date(Date.now() + 5000));
    expect(await (await ask(service, '/')).text()).toBe(page);
    await complete(Date.now() + 5000);
    expect(await (await ask(service, '/')).text()).toContain('new');
    await writeFile(name, page);
    await complete(Date.now() + 10_000);
    expect(await (await ask(service, '/')).text()).toBe(page);
  });

  it.for(['/api/nothing', '/api/v1/nothing', '/auth/nothing', '/assets/gone-1.js', '/attachments/x/y'])(
    'is no answer to a program: %s',
    async (path, { service }) => {
      const response = await ask(service, path);
      expect({ path, status: response.status }).toEqual({ path, status: 404 });
      expect(response.headers.get('content-type')).toBe('application/problem+json');
    },
  );

  it('is served to programs that follow a link and take any type, such as those that check or preview it', async ({
    service,
  }) => {
    for (const path of ['/', '/threads/thr_1', '/threads/thr_1/messages/msg_1']) {
      const response = await ask(service, path, { accept: '*/*' }, 'HEAD');
      expect([path, response.status]).toEqual([path, 200]);
      expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
    }
    expect((await ask(service, '/v1/threads', { accept: '*/*' })).status).toBe(404);
  });

  it('is not served to a client that does not accept HTML, or for another method', async ({ service }) => {
    for (const path of ['/', '/threads', '/threads/thr_1'])
      expect((await ask(service, path, { accept: 'application/json' })).status).toBe(404);
    expect((await ask(service, '/threads', {}, 'POST')).status).toBe(404);
  });

  it('answers HEAD with headers alone', async ({ service }) => {
    const response = await ask(service, '/', {}, 'HEAD');
    expect({ status: response.status, body: await response.text() }).toEqual({ status: 200, body: '' });
  });
});

describe('a file with a hash in its name', () => {
  it('is cached by browsers forever', async ({ service }) => {
    const response = await ask(service, '/assets/main-AbC123.js', { accept: '*/*' });
    expect(await response.text()).toBe(script);
    expect(response.headers.get('content-type')).toBe('text/javascript; charset=utf-8');
    expect(response.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    expect(response.headers.get('etag')).toMatch(/^"[\w-]{22}-(br|gzip)"$/);
  });

  it.for([
    ['br', 'br'],
    ['gzip', 'gzip'],
    ['identity', null],
  ] as const)('is sent as the browser takes it: %s', async ([accepted, encoding], { service }) => {
    const response = await ask(service, '/assets/main-AbC123.js', { 'accept-encoding': accepted });
    expect(response.headers.get('content-encoding')).toBe(encoding);
    expect(response.headers.get('vary')).toBe('Accept-Encoding');
    expect(await response.text()).toBe(script);
  });
});

describe('a compressed form of a file', () => {
  const path = '/assets/main-AbC123.js';

  it('has its own entity tag, and is not sent again to a client that has it', async ({ service }) => {
    const tags = new Set<string | null>();
    for (const accepted of ['br', 'gzip', 'identity']) {
      const etag = (await ask(service, path, { 'accept-encoding': accepted })).headers.get('etag') ?? '';
      tags.add(etag);
      const conditions = { 'if-none-match': etag, 'cache-control': 'no-cache' };
      expect((await ask(service, path, { 'accept-encoding': accepted, ...conditions })).status).toBe(304);
      const other = accepted === 'br' ? 'gzip' : 'br';
      expect((await ask(service, path, { 'accept-encoding': other, ...conditions })).status).toBe(200);
    }
    expect(tags.size).toBe(3);
  });

  it('comes from the build: nothing is compressed while a client waits', async ({ service }) => {
    const { headers } = await ask(service, '/assets/plain-AbC123.js', { 'accept-encoding': 'br, gzip' });
    expect(headers.get('content-encoding')).toBeNull();
    expect((await ask(service, `${path}.br`)).status).toBe(404);
  });

  it('exists for every large file of the real build', async () => {
    const root = 'dist/web';
    const names = (await readdir(root, { recursive: true })).filter((name) => /\.(js|css|html|svg)$/.test(name));
    for (const name of names) {
      const content = await readFile(join(root, name));
      if (content.length < 1024) continue;
      expect([name, brotliDecompressSync(await readFile(join(root, `${name}.br`))).equals(content)]).toEqual([
        name,
        true,
      ]);
      expect([name, gunzipSync(await readFile(join(root, `${name}.gz`))).equals(content)]).toEqual([name, true]);
    }
    expect(names.length).toBeGreaterThan(10);
  });
});

it.for(['/.made', '/../package.json', '/%2e%2e/package.json', '/assets/..%2f..%2fpackage.json', '/assets/%00'])(
  'a path outside the build cannot be read: %s',
  async (path, { service }) => {
    const response = await ask(service, path, { accept: '*/*' });
    expect([400, 404]).toContain(response.status);
  },
);
