import { spawn } from 'node:child_process';
import type { Account } from './unprivileged.js';

/** What a program left when it ended. */
export interface ProgramResult {
  /** Exit code; null where a signal ended it. */
  code: number | null;
  /** Standard output and standard error, in the order in which they came. */
  output: string;
}

export interface RunOptions {
  account?: Account | undefined;
  environment?: Record<string, string>;
}

/**
 * The whole environment of a database program: nothing of ours, because PGDATA, LANG or TZ of the person who starts
 * Skein would change what a cluster is.
 */
export const plainEnvironment: Record<string, string> = { LC_ALL: 'C', TZ: 'UTC' };

/** The identity under which to start a program, for `spawn`. */
export function identityOf(account: Account | undefined): { uid?: number; gid?: number } {
  return account ? { uid: account.uid, gid: account.gid } : {};
}

/** Runs a program to its end. Rejects where it cannot be started, with the system's error (`EACCES`, `ENOENT`). */
export function runProgram(program: string, args: string[], options: RunOptions = {}): Promise<ProgramResult> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, {
      ...identityOf(options.account),
      cwd: '/',
      env: { ...plainEnvironment, ...options.environment },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => {
        output += text;
      });
    }
    child.on('error', reject);
    child.on('close', (code) => resolve({ code, output }));
  });
}
