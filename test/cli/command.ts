/**
 * A command line in the process of the tests: what it writes, and the status that the program would end with. What the program
 * itself adds, the end of its process above all, is looked at with `skein` of `program.ts`, once for each group of commands.
 */
import { format } from 'node:util';
import type { CommandUnknownOpts, OutputConfiguration } from '@commander-js/extra-typings';
import { vi } from 'vitest';
import { run } from '../../src/cli/run.js';
import { skein as program } from '../../src/cli/skein.js';
import type { Finished, Variables } from './program.js';

/** What a command may end on. */
const signals = ['SIGHUP', 'SIGINT', 'SIGTERM'] as const;

/** Runs a command line to its end. One at a time: the environment is that of the process. */
export async function command(
  words: readonly string[],
  variables: Variables = {},
  { isTerminal = false } = {},
): Promise<Finished> {
  const { env, exitCode, stderr } = process;
  const { isTTY } = stderr;
  const written = { stdout: '', stderr: '' };
  const write = (name: 'stdout' | 'stderr') => (text: unknown) => {
    written[name] += String(text);
    return true;
  };
  collectOutput(program, { writeOut: write('stdout'), writeErr: write('stderr') });
  const spies = [
    vi.spyOn(console, 'log').mockImplementation((...parts) => void write('stdout')(`${format(...parts)}\n`)),
    vi.spyOn(process.stdout, 'write').mockImplementation(write('stdout')),
    vi.spyOn(process.stderr, 'write').mockImplementation(write('stderr')),
  ];
  const listeners = signals.map((signal) => process.listeners(signal));
  process.env = { PATH: env['PATH'], HOME: env['HOME'], ...variables };
  process.exitCode = 0;
  stderr.isTTY = isTerminal;
  try {
    await run(program, words);
    return { status: process.exitCode, ...written };
  } finally {
    process.env = env;
    process.exitCode = exitCode;
    stderr.isTTY = isTTY;
    for (const spy of spies) spy.mockRestore();
    // The program ends with its command, and takes them with it.
    for (const [index, signal] of signals.entries()) {
      const added = process.listeners(signal).filter((listener) => !listeners[index]?.includes(listener));
      for (const listener of added) process.off(signal, listener);
    }
  }
}

function collectOutput(part: CommandUnknownOpts, output: OutputConfiguration): void {
  part.configureOutput(output);
  for (const child of part.commands) collectOutput(child, output);
}
