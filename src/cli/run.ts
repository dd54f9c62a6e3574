/**
 * Runs a command line. Standard output has the requested output only, so that scripts can read it. Exit statuses: 1 if
 * the command fails, 64 if the command line is invalid, 78 if the configuration is invalid (as in `sysexits.h`).
 */
import { stripVTControlCharacters } from 'node:util';
import { type CommandDef, renderUsage, runCommand } from 'citty';
import { ConfigError } from '../config.js';
import { asksForHelp, checkWords, type FoundCommand, findCommand, UsageError } from './command-line.js';
import { explainFailure } from './explain-failure.js';

export async function run(program: CommandDef, words: readonly string[]): Promise<void> {
  const found = await findCommand(program, words);
  try {
    if (asksForHelp(found)) return print(process.stdout, await usageOf(found));
    await checkWords(found);
    await runCommand(found.command, { rawArgs: found.words });
  } catch (error) {
    process.exitCode = statusOf(error);
    const usage = isUsageError(error) ? `\n\n${await usageOf(found)}` : '';
    print(process.stderr, `${messageOf(error)}${usage}`);
  }
}

function statusOf(error: unknown): number {
  if (isUsageError(error)) return 64;
  return error instanceof ConfigError ? 78 : 1;
}

/** Our own usage errors, and those of citty about values. */
function isUsageError(error: unknown): error is Error {
  return error instanceof UsageError || (error instanceof Error && error.name === 'CLIError');
}

function messageOf(error: unknown): string {
  if (isUsageError(error)) return error.message;
  return explainFailure(error) ?? (error instanceof Error ? (error.stack ?? error.message) : String(error));
}

async function usageOf({ command, parent }: FoundCommand): Promise<string> {
  return (await renderUsage(command, parent)).trimEnd();
}

/** Removes citty's colors unless the output is a terminal. */
function print(stream: NodeJS.WriteStream, text: string): void {
  stream.write(`${stream.isTTY ? text : stripVTControlCharacters(text)}\n`);
}
