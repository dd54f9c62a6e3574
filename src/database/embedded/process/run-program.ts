import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Account } from './unprivileged.js';

export interface RunOptions {
  account?: Account | undefined;
  environment?: Record<string, string>;
}

/**
 * How a database program is run. Nothing of our environment is passed on, because PGDATA, LANG or TZ of the person who starts
 * Skein would change what a cluster is.
 */
export function programOptions({ account, environment }: RunOptions) {
  return {
    ...(account && { uid: account.uid, gid: account.gid }),
    cwd: '/',
    env: { LC_ALL: 'C', TZ: 'UTC', ...environment },
  };
}

/** Runs a program to its end. Rejects where it cannot be started, with the system's error (`EACCES`, `ENOENT`). */
export async function runProgram(
  program: string,
  args: string[],
  options: RunOptions = {},
): Promise<{ succeeded: boolean; output: string }> {
  try {
    const { stdout, stderr } = await promisify(execFile)(program, args, programOptions(options));
    return { succeeded: true, output: stdout + stderr };
  } catch (error) {
    const { code, stdout, stderr } = error as { code: unknown; stdout: string; stderr: string };
    if (typeof code === 'string') throw error;
    return { succeeded: false, output: stdout + stderr };
  }
}
