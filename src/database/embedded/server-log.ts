import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { DataDirectory } from './data-directory.js';

/** Where a server writes until its own log collector takes over: a pipe to this process would die with it. */
export function startLog(directory: DataDirectory): string {
  return join(directory.path, 'postgres-start.log');
}

/** What the server said since its last start: its first words, and what its collector wrote after them. */
export async function readServerLog(directory: DataDirectory): Promise<string> {
  const first = await readFile(startLog(directory), 'utf8');
  if (!first.includes('redirecting log output')) return first;
  const folder = join(directory.clusterDir, 'log');
  const files = await Promise.all(
    (await readdir(folder)).map(async (name) => ({ name, mtimeMs: (await stat(join(folder, name))).mtimeMs })),
  );
  const newest = files.sort((a, b) => b.mtimeMs - a.mtimeMs)[0];
  const text = newest ? await readFile(join(folder, newest.name), 'utf8') : '';
  return text.slice(Math.max(0, text.lastIndexOf('starting PostgreSQL')));
}
