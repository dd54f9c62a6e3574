/** The gate's second look, on a small project of its own: what it holds against a change, and what it only names. */
import { spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { temporaryFolder } from '../support/temporary-folder.js';

const root = resolve(import.meta.dirname, '../..');
const vitest = join(root, 'node_modules/vitest/vitest.mjs');

const config = `
import { RunSummary } from ${JSON.stringify(join(root, 'test/support/run-summary.ts'))};
export default {
  test: {
    reporters: ['default', new RunSummary('1')],
    projects: [{ test: { name: 'fast', include: ['test/*.test.ts'] } }],
  },
};`;

const heading = `
import { existsSync, writeFileSync } from 'node:fs';
import { afterAll, expect, it } from 'vitest';
/** True at the first time only. */
function isFirst(mark: string): boolean {
  const path = new URL(mark, import.meta.url);
  return !existsSync(path) && (writeFileSync(path, ''), true);
}
`;

const sound = `it('is green', () => expect(1).toBe(1)); it.skip('is skipped', () => undefined);`;

/** Runs the tests of these files, and looks again at what failed. */
async function gate(files: Record<string, string>) {
  const folder = await mkdtemp(join(await temporaryFolder(), 'skein-gate-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  await mkdir(join(folder, 'test'));
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'));
  await writeFile(join(folder, 'package.json'), '{"type":"module"}');
  await writeFile(join(folder, 'vitest.config.ts'), config);
  for (const [name, text] of Object.entries(files))
    await writeFile(join(folder, `test/${name}.test.ts`), heading + text);
  const summary = join(folder, 'summary.json');
  const run = (program: string, ...args: string[]) =>
    spawnSync(program, args, {
      cwd: folder,
      encoding: 'utf8',
      env: { ...process.env, TEST_SUMMARY: summary, NO_COLOR: '1', VITEST: undefined },
    });
  run(process.execPath, vitest, 'run');
  const { status, stdout, stderr } = run(process.execPath, join(root, '.ci/second-look.mjs'), summary);
  const counts: unknown = JSON.parse(await readFile(summary, 'utf8'));
  return { status, counts, said: stdout + stderr, unstable: stdout.match(/^unstable: .*$/gm) ?? [] };
}

it('passes a change whose tests are green at once, and runs nothing again', async () => {
  const summary = join(await temporaryFolder(), `green-${process.pid}.json`);
  onTestFinished(() => rm(summary));
  await writeFile(summary, JSON.stringify({ passed: 1, failed: 0, skipped: 1, files: [], stray: [] }));
  const looked = spawnSync(process.execPath, [join(root, '.ci/second-look.mjs'), summary], { encoding: 'utf8' });
  expect(looked).toMatchObject({ status: 0, stdout: '', stderr: '' });
  expect(JSON.parse(await readFile(summary, 'utf8'))).toEqual({ passed: 1, failed: 0, skipped: 1 });
});

it('passes a change whose red tests are green alone, and names each of them', { timeout: 120_000 }, async () => {
  const { status, counts, unstable } = await gate({
    sound,
    shaky: `it('is red once', () => expect(isFirst('shaky')).toBe(false)); it('is green', () => undefined);`,
    hook: `afterAll(() => expect(isFirst('hook')).toBe(false)); it('has a hook', () => undefined);`,
    stray: `it('leaves an error', () => { if (isFirst('stray')) setTimeout(() => { throw new Error('too late'); }); });`,
  });
  expect(unstable.sort()).toEqual([
    'unstable: test/hook.test.ts › what comes before or after its tests',
    'unstable: test/shaky.test.ts › is red once',
    'unstable: test/stray.test.ts › too late',
  ]);
  expect({ status, counts }).toEqual({ status: 0, counts: { passed: 5, failed: 0, skipped: 1 } });
});

it('refuses a change with a file that is red twice, and ends with what that said', { timeout: 120_000 }, async () => {
  const { status, counts, said, unstable } = await gate({
    sound,
    shaky: `it('is red once', () => expect(isFirst('shaky')).toBe(false));`,
    broken: `it('is red', () => expect('this').toBe('that'));`,
    empty: `import './nowhere.js';`,
  });
  expect({ status, counts }).toEqual({ status: 1, counts: { passed: 2, failed: 2, skipped: 1 } });
  expect(said).toContain("expected 'this' to be 'that'");
  expect(unstable).toEqual(['unstable: test/shaky.test.ts › is red once']);
});

it('refuses a change whose tests were cut off', async () => {
  const summary = join(await temporaryFolder(), 'never-written.json');
  onTestFinished(() => rm(summary));
  const { status } = spawnSync(process.execPath, [join(root, '.ci/second-look.mjs'), summary]);
  expect(status).toBe(1);
  expect(JSON.parse(await readFile(summary, 'utf8'))).toEqual({ passed: 0, failed: 1, skipped: 0 });
});
