/**
 * Parses a command line strictly: unknown options, missing values and surplus arguments are errors. A misspelled
 * `--role`, for example, must not silently create an ordinary member.
 */
import { parseArgs } from 'node:util';
import type { ArgDef, ArgsDef, CommandDef, Resolvable } from 'citty';

/** A command, its parent, and the remaining arguments. */
export interface FoundCommand {
  command: CommandDef;
  parent: CommandDef | undefined;
  words: string[];
}

/** An invalid command line. Printed together with the usage of the command. */
export class UsageError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'UsageError';
  }
}

/** Finds the command that the arguments name. */
export async function findCommand(program: CommandDef, words: readonly string[]): Promise<FoundCommand> {
  let found: FoundCommand = { command: program, parent: undefined, words: [...words] };
  for (;;) {
    const [name = '', ...rest] = found.words;
    const commands = (await resolved(found.command.subCommands)) ?? {};
    if (!Object.hasOwn(commands, name)) return found;
    found = { command: (await resolved(commands[name])) ?? {}, parent: found.command, words: rest };
  }
}

/** Whether the arguments ask for help. */
export function asksForHelp({ words }: FoundCommand): boolean {
  return words.includes('--help') || words.includes('-h');
}

/** Throws a `UsageError` for arguments that the command does not accept. */
export async function checkWords({ command, words }: FoundCommand): Promise<void> {
  const commands = await resolved(command.subCommands);
  if (commands) {
    const names = Object.keys(commands).join(', ');
    throw new UsageError(
      words[0] ? `Unknown command "${words[0]}". Commands: ${names}.` : `A command is required: ${names}.`,
    );
  }
  const definitions = (await resolved(command.args)) ?? {};
  const { values, positionals } = parse(definitions, words);
  const places = Object.entries(definitions).filter(([, { type }]) => type === 'positional');
  const given = { ...values, ...Object.fromEntries(places.map(([name], index) => [name, positionals[index]])) };
  const missing = Object.entries(definitions).filter(([name, { required }]) => required && !given[name]);
  if (missing.length > 0)
    throw new UsageError(`Missing: ${missing.map(([name, { type }]) => shown(name, type)).join(', ')}.`);
  const surplus = positionals.slice(places.length);
  if (surplus.length > 0) throw new UsageError(`Too many arguments: ${surplus.join(' ')}`);
}

function parse(definitions: ArgsDef, words: string[]) {
  const named = Object.entries(definitions).filter(([, { type }]) => type !== 'positional');
  const options = Object.fromEntries(
    named.map(([name, { type }]) => [name, { type: type === 'boolean' ? ('boolean' as const) : ('string' as const) }]),
  );
  try {
    return parseArgs({ args: words, options, allowPositionals: true, strict: true });
  } catch (error) {
    if (error instanceof TypeError) throw new UsageError(error.message);
    throw error;
  }
}

function shown(name: string, type: ArgDef['type']): string {
  return type === 'positional' ? name.toUpperCase() : `--${name}`;
}

async function resolved<T>(value: Resolvable<T> | undefined): Promise<T | undefined> {
  return typeof value === 'function' ? (value as () => T | Promise<T>)() : value;
}
