/** The gate's second look, on a small project of its own: what it holds against a change, and what it only names. */
import { spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { beforeAll, expect, it, onTestFinished } from 'vitest';
import type { RunResult } from '../support/run-summary.js';
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

/** Each is red at first; `broken` and `empty` stay so. */
const files: Record<string, string> = {
  sound,
  shaky: `it('is red once', () => expect(isFirst('shaky')).toBe(false)); it('is green', () => undefined);`,
  hook: `afterAll(() => expect(isFirst('hook')).toBe(false)); it('has a hook', () => undefined);`,
  stray: `it('leaves an error', () => { if (isFirst('stray')) setTimeout(() => { throw new Error('too late'); }); });`,
  broken: `it('is red', () => expect('this').toBe('that'));`,
  empty: `import './nowhere.js';`,
};

let folder: string;
let first: RunResult;
beforeAll(async () => {
  folder = await mkdtemp(join(await temporaryFolder(), 'skein-gate-'));
  await mkdir(join(folder, 'test'));
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'));
  await writeFile(join(folder, 'package.json'), '{"type":"module"}');
  await writeFile(join(folder, 'vitest.config.ts'), config);
  for (const [name, text] of Object.entries(files))
    await writeFile(join(folder, `test/${name}.test.ts`), heading + text);
  run(vitest, 'run');
  first = JSON.parse(await readFile(join(folder, 'summary.json'), 'utf8'));
  return () => rm(folder, { recursive: true });
}, 120_000);

function run(...args: string[]) {
  const env = { ...process.env, TEST_SUMMARY: join(folder, 'summary.json'), NO_COLOR: '1', VITEST: undefined };
  return spawnSync(process.execPath, args, { cwd: folder, encoding: 'utf8', env });
}

/** Looks again at what failed, as if of the files that were red in the first run there were these alone. */
async function lookAgain(...names: string[]) {
  const summary = join(folder, 'summary.json');
  const kept = first.files.filter(({ file }) => names.some((name) => file === `test/${name}.test.ts`));
  const countOf = (name: 'passed' | 'failed' | 'skipped') =>
    first.files.reduce((left, file) => (kept.includes(file) ? left : left - file[name]), first[name]);
  const counted = { passed: countOf('passed'), failed: countOf('failed'), skipped: countOf('skipped') };
  await writeFile(summary, JSON.stringify({ ...counted, files: kept, stray: [] }));
  const { status, stdout, stderr } = run(join(root, '.ci/second-look.mjs'), summary);
  const counts: unknown = JSON.parse(await readFile(summary, 'utf8'));
  return { status, counts, said: stdout + stderr, unstable: stdout.match(/^unstable: .*$/gm) ?? [] };
}

it('passes a change whose tests are green at once, and runs nothing again', async () => {
  const counts = { passed: 1, failed: 0, skipped: 1 };
  expect(await lookAgain()).toEqual({ status: 0, counts, said: '', unstable: [] });
});

it('passes a change whose red tests are green alone, and names each of them', { timeout: 120_000 }, async () => {
  const { status, counts, unstable } = await lookAgain('shaky', 'hook', 'stray');
  expect(unstable.sort()).toEqual([
    'unstable: test/hook.test.ts › what comes before or after its tests',
    'unstable: test/shaky.test.ts › is red once',
    'unstable: test/stray.test.ts › too late',
  ]);
  expect({ status, counts }).toEqual({ status: 0, counts: { passed: 5, failed: 0, skipped: 1 } });
});

it('refuses a change with a file that is red twice, and ends with what that said', { timeout: 120_000 }, async () => {
  const { status, counts, said, unstable } = await lookAgain('shaky', 'broken', 'empty');
  expect({ status, counts }).toEqual({ status: 1, counts: { passed: 3, failed: 2, skipped: 1 } });
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
