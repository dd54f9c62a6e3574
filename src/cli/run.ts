/**
 * Runs a command line. Standard output has the requested output only, so that scripts can read it. Exit statuses: 1 if
 * the command fails, 64 if the command line is invalid, 78 if the configuration is invalid (as in `sysexits.h`).
 */
import { type Command, CommanderError } from '@commander-js/extra-typings';
import { ConfigError } from '../config.js';
import { strict } from './command-line.js';
import { explainFailure } from './explain-failure.js';

export async function run(program: Command, words: readonly string[]): Promise<void> {
  strict(program);
  try {
    await program.parseAsync(words, { from: 'user' });
  } catch (error) {
    process.exitCode = statusOf(error);
    // commander has written its own errors, and the help that was asked for.
    if (!(error instanceof CommanderError)) process.stderr.write(`${messageOf(error)}\n`);
  }
}

function statusOf(error: unknown): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 64;
  return error instanceof ConfigError ? 78 : 1;
}

function messageOf(error: unknown): string {
  return explainFailure(error) ?? (error instanceof Error ? (error.stack ?? error.message) : String(error));
}
