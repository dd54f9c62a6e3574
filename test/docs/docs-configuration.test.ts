/**
 * docs/configuration.md names exactly the variables that the service reads, with the defaults that they have. The names come from
 * the sources, because some variables are read only if others are set.
 */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { readConfig } from '../../src/config.js';
import { readSources } from '../support/source-tree.js';

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
