/**
 * Runs a command line. Standard output has what the command was asked for and nothing else, so that scripts can read it.
 * Exit statuses: 1 the command was refused or failed, 64 the command line cannot be understood, 78 the configuration cannot
 * be used (the numbers of `sysexits.h`).
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

/** Ours, or that of citty about a value. */
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

/** citty writes in colors; they are for people alone. */
function print(stream: NodeJS.WriteStream, text: string): void {
  stream.write(`${stream.isTTY ? text : stripVTControlCharacters(text)}\n`);
}
