/**
 * What the documents say is so. What they point to exists: files, headings of other documents, and tests. The README is short, and
 * begins with the two commands; that all of its commands work is tested with those of the other documents. docs/configuration.md
 * names exactly the variables that the service reads, with the defaults that they have: the names come from the sources, because some
 * variables are read only if others are set. The state diagrams of docs/architecture.md show every transition that the code and the
 * database allow, and no other: test/modules/protocol/transitions.test.ts holds the same tables against the database's triggers.
 */
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readConfig } from '../../src/config.js';
import { responseTransitions, transitions } from '../modules/transitions.js';
import { documents, fencesIn } from '../support/documents.js';
import { readSources } from '../support/source-tree.js';

/** As the usual sites make an anchor of a heading. */
function anchorsIn(file: string): string[] {
  const headings = readFileSync(file, 'utf8').matchAll(/^#+ (.+)$/gm);
  return [...headings].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N} -]/gu, '')
      .replaceAll(' ', '-'),
  );
}

describe.each(documents)('%s', (file) => {
  const text = readFileSync(file, 'utf8');

  it('has no broken link', () => {
    const links = [...text.matchAll(/\]\(([^)\s]+)\)/g)]
      .map(([, link = '']) => link)
      .filter((link) => !/^\w+:/.test(link));
    const dead = links.filter((link) => {
      const [path = '', anchor] = link.split('#');
      const target = path === '' ? file : join(dirname(file), path);
      return !existsSync(target) || (anchor !== undefined && !anchorsIn(target).includes(anchor));
    });
    expect(dead).toEqual([]);
  });

  it('names only tests and folders that exist', () => {
    const named = [...text.matchAll(/(?<=`|--root \. )((?:test|docs|prisma|\.ci)\/[\w./-]+)/g)].map(
      ([, name = '']) => name,
    );
    expect(named.filter((name) => !existsSync(name))).toEqual([]);
  });
});

it('docs/decisions.md begins each decision with what was decided, and needs few lines for it', () => {
  const [design = ''] = /^### [\s\S]*?(?=^## )/m.exec(readFileSync('docs/decisions.md', 'utf8')) ?? [];
  const paragraphs = design.split('\n\n').filter((paragraph) => paragraph && !paragraph.startsWith('#'));
  expect(paragraphs.length).toBeGreaterThan(14);
  expect(paragraphs.filter((text) => !/^\*\*[^*]+\.\*\* /.test(text) || text.split('\n').length > 5)).toEqual([]);
});

const readme = readFileSync('README.md', 'utf8');
const lines = readme.trimEnd().split('\n');

describe('README', () => {
  it('has at most 150 lines', () => {
    expect(lines.length).toBeLessThanOrEqual(150);
  });

  it('has lines of at most 120 columns, addresses aside', () => {
    const withoutAddresses = lines.map((line) => line.replaceAll(/\]\([^)]*\)|https?:\/\/[^\s"]+/g, ''));
    expect(withoutAddresses.filter((line) => line.length > 120)).toEqual([]);
  });

  it('begins with the two commands and the token', () => {
    const [start, token] = fencesIn(readme, 'sh');
    expect(start).toBe('npm ci && npm start');
    expect(token).toBe('export SKEIN_TOKEN=skn_pat_...');
  });
});

/** A variable in the sources, and whether it has a value where nobody sets it. */
interface ReadVariable {
  name: string;
  hasDefault: boolean;
}

/** A row of a table: `default` is the cell as it is written. */
interface DocumentedVariable {
  name: string;
  default: string;
}

const read = variablesInSources();
const documented = variablesInDocument();
const namesOf = (variables: readonly { name: string }[]) => variables.map(({ name }) => name).toSorted();

describe('docs/configuration.md', () => {
  it('names exactly the variables that are read, once each', () => {
    expect(namesOf(documented)).toEqual(namesOf(read));
  });

  it('says "none" exactly if a variable has no default', () => {
    const withoutDefault = documented.filter((variable) => variable.default === 'none');
    // The embedded database chooses its directory itself.
    const expected = read.filter(({ name, hasDefault }) => !hasDefault && name !== 'DATA_DIR');
    expect(namesOf(withoutDefault)).toEqual(namesOf(expected));
  });

  const literal = documented.flatMap(({ name, default: cell }) => {
    const value = /^`(.+)`$/.exec(cell)?.[1];
    return value === undefined || name === 'DATA_DIR' ? [] : [{ name, value: value.replace('PORT', '4000') }];
  });

  it.each(literal)('gives the default of $name, which changes nothing when it is set', ({ name, value }) => {
    expect(readConfig({ [name]: value })).toEqual(readConfig({}));
  });

  it('states the default as a value unless it is a text or depends on another variable', () => {
    const prose = documented.filter((variable) => !/^`.+`$|^none$/.test(variable.default));
    expect(namesOf(prose)).toEqual([
      'AI_SYSTEM_PROMPT',
      'DRAIN_SECONDS',
      'OIDC_NAME',
      'RESPONSES_PER_ORGANIZATION',
      'RESPONSES_PER_USER',
    ]);
  });
});

function variablesInSources(): ReadVariable[] {
  const sources = readSources().filter(({ name }) => !name.startsWith('web/'));
  const calls = sources.flatMap(({ text }) => [
    ...text.matchAll(/\bread\.(text|url|origin|secret|parsed|integer|rate|choice)\(\s*'([A-Z_]+)'[^;\n]*/g),
  ]);
  const found = new Map<string, boolean>();
  for (const [call, method = '', name = ''] of calls) {
    const hasDefault = ['integer', 'rate', 'choice'].includes(method) || / \?\? (?!undefined)/.test(call);
    found.set(name, hasDefault || (found.get(name) ?? false));
  }
  const ofProviders = sources.flatMap(({ text }) => [...text.matchAll(/'([A-Z_]+_API_KEY)'/g)]);
  for (const [, name = ''] of ofProviders) if (!found.has(name)) found.set(name, false);
  return [...found].map(([name, hasDefault]) => ({ name, hasDefault }));
}

function variablesInDocument(): DocumentedVariable[] {
  const rows = readFileSync('docs/configuration.md', 'utf8').matchAll(/^\| `([A-Z_]+)` \| (.+?) \|/gm);
  return [...rows].map(([, name = '', cell = '']) => ({ name, default: cell }));
}

type Transitions = Record<string, readonly string[]>;

const diagrams = fencesIn(readFileSync('docs/architecture.md', 'utf8'), 'mermaid');

/** Arrows from the initial state, to the final one, and from a state to itself are no transitions. */
function transitionsIn(diagram: string): string[] {
  const arrows = [...diagram.matchAll(/^\s*(\S+) --> ([^\s:]+)/gm)];
  return arrows
    .filter(([, from, to]) => from !== '[*]' && to !== '[*]' && from !== to)
    .map(([, from, to]) => `${from} → ${to}`)
    .toSorted();
}

function finalStatesIn(diagram: string): string[] {
  return [...diagram.matchAll(/^\s*(\S+) --> \[\*\]/gm)].map(([, state = '']) => state).toSorted();
}

function allowed(table: Transitions): string[] {
  return Object.entries(table)
    .flatMap(([from, targets]) => targets.map((to) => `${from} → ${to}`))
    .toSorted();
}

function finalStates(table: Transitions): string[] {
  return Object.keys(table)
    .filter((state) => table[state]?.length === 0)
    .toSorted();
}

describe.each<[string, string, Transitions]>([
  ['threads', 'active --> ready', transitions],
  ['responses', 'running --> succeeded', responseTransitions],
])('the state diagram of %s', (_name, arrow, table) => {
  const diagram = diagrams.find((text) => text.includes(arrow)) ?? '';

  it('shows exactly the allowed transitions', () => {
    expect(transitionsIn(diagram)).toEqual(allowed(table));
  });

  it('ends in the states without outgoing transitions', () => {
    expect(finalStatesIn(diagram)).toEqual(finalStates(table));
  });
});
