/** File systems of a test's own, in memory, which are small or read only. Only root may mount them. */
import { spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { temporaryFolder } from '../../support/temporary-folder.js';

function mount(folder: string, options: string): boolean {
  return spawnSync('mount', ['-t', 'tmpfs', '-o', options, 'tmpfs', folder]).status === 0;
}

/** Tried once: containers may forbid it even to root. */
export const canMount = tryMount();

export const mountNote = canMount ? '' : ' (skipped: this account may not mount a file system)';

function tryMount(): boolean {
  const folder = mkdtempSync(join(tmpdir(), 'skein-mount-'));
  const mounted = mount(folder, 'size=64k');
  if (mounted) spawnSync('umount', [folder]);
  rmSync(folder, { recursive: true });
  return mounted;
}

/** Mounts one, such as with `size=1m,ro`, until the test is finished. */
export async function mountTmpfs(options: string): Promise<string> {
  const folder = await mkdtemp(join(await temporaryFolder(), 'skein-tmpfs-'));
  await chmod(folder, 0o711);
  if (!mount(folder, options)) throw new Error(`The file system could not be mounted at ${folder}.`);
  if (!/\bro\b/.test(options)) chmodSync(folder, 0o711);
  onTestFinished(async () => {
    spawnSync('umount', ['-l', folder]);
    await rm(folder, { recursive: true, force: true });
  });
  return folder;
}
