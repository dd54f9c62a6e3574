/** Messages and documents name no command, and no option of one, that the command line does not have. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { skein } from '../../src/cli/skein.js';
import { documents } from '../support/documents.js';
import { readSources } from '../support/source-tree.js';

/** What the command line knows of a command. */
interface Known {
  name(): string;
  readonly commands: readonly Known[];
  readonly options: readonly { long?: string | undefined }[];
}

/** A command line as it is named: `skein -- user create --email`, `npx skein serve`, or `skein backup` in quotes. */
const named = /(?:\bskein -- |\bnpx skein |[`"]skein )((?:(?:[a-z]+(?:-[a-z]+)*|--[a-z-]+)(?: |(?=["'`\n]|$)))+)/g;

/** `skein node` begins the names of connections in PostgreSQL. */
function commandsIn(text: string): string[] {
  return [...text.matchAll(named)].map(([, words = '']) => words.trim()).filter((words) => words !== 'node');
}

/** What is wrong with a command line; null where the program takes its words. */
function problemOf(line: string): string | null {
  let at: Known = skein as Known;
  for (const word of line.split(' ')) {
    const next = at.commands.find((command) => command.name() === word);
    if (next) at = next;
    else if (word.startsWith('--')) {
      const isKnown = word === '--help' || at.options.some(({ long }) => long === word);
      if (!isKnown) return `"skein ${line}": "${at.name()}" has no option ${word}`;
    } else if (at.commands.length > 0) return `"skein ${line}": "${at.name()}" has no command ${word}`;
  }
  return null;
}

const texts = [
  ...readSources().map(({ name, text }) => ({ name: `src/${name}`, text })),
  ...documents.map((name) => ({ name, text: readFileSync(name, 'utf8') })),
];

const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: Record<string, string> };

it('names only scripts of npm that exist', () => {
  const runs = texts.flatMap(({ name, text }) =>
    [...text.matchAll(/npm run (?:--silent )?([a-z][a-z:-]*)/g)].map(([, script = '']) => ({ name, script })),
  );
  expect(runs.length).toBeGreaterThan(0);
  expect(runs.filter(({ script }) => !(script in scripts))).toEqual([]);
});

describe('a command that is named', () => {
  it('exists, with its options', () => {
    const lines = texts.flatMap(({ name, text }) => commandsIn(text).map((line) => ({ name, line })));
    expect(lines.length).toBeGreaterThan(0);
    expect(lines.filter(({ line }) => problemOf(line))).toEqual([]);
  });

  it.each([
    ['Run "npm run skein -- upgrade" first.', '"skein upgrade": "skein" has no command upgrade'],
    ['`skein user invite`', '"skein user invite": "user" has no command invite'],
    ['npx skein user create --phone 1', '"skein user create --phone": "create" has no option --phone'],
  ])('is found out where it does not exist: %s', (text, problem) => {
    expect(commandsIn(text).map(problemOf)).toEqual([problem]);
  });
});
