/** The rules that keep the tree readable. Which room may know which stands in `.dependency-cruiser.mjs`. */
import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, it } from 'vitest';
import { endpoints } from '../src/rest/endpoints.js';

interface Cruise {
  modules: { source: string; dependencies: { resolved: string }[] }[];
  summary: { violations: { from: string; to: string; rule: { name: string } }[] };
}

const program = 'node_modules/dependency-cruiser/bin/dependency-cruise.mjs';
const args = ['--import', './test/support/typescript-5.mjs', program, '--config', '.dependency-cruiser.mjs'];

let cruise: Cruise;
beforeAll(async () => {
  const options = { maxBuffer: 2 ** 26 };
  const { stdout } = await promisify(execFile)(process.execPath, [...args, '--output-type', 'json', 'src'], options);
  cruise = JSON.parse(stdout) as Cruise;
});

const files = readdirSync('src', { recursive: true, encoding: 'utf8' }).filter((name) => /\.tsx?$/.test(name));

describe('architecture', () => {
  it('imports in one direction only and without cycles, including types and components', () => {
    const { violations } = cruise.summary;
    expect(violations.map(({ from, to, rule }) => `${from} must not import ${to}: ${rule.name}`)).toEqual([]);
  });

  it('is seen completely by the tool that checks it', () => {
    const seen = new Map(cruise.modules.map(({ source, dependencies }) => [source, dependencies]));
    expect(files.filter((name) => !seen.has(`src/${name.replaceAll('\\', '/')}`))).toEqual([]);
    const imported = seen.get('src/web/app.tsx')?.map(({ resolved }) => resolved);
    expect(imported).toContain('src/web/shell/shell.tsx');
  });

  it('keeps private members behind #, never behind the keyword alone', () => {
    const server = files.filter((name) => !name.startsWith('web'));
    const isMixed = (name: string) => /^\s+private (?!constructor)\w/m.test(readFileSync(join('src', name), 'utf8'));
    expect(server.filter(isMixed)).toEqual([]);
  });

  it('reads the environment in one file', () => {
    const reading = files.filter((name) => readFileSync(join('src', name), 'utf8').includes('process.env'));
    expect(reading).toEqual(['config.ts']);
  });

  it('has one file for every endpoint', () => {
    expect(files.filter((name) => name.startsWith(join('rest', 'endpoints', '/')))).toHaveLength(endpoints.length);
  });

  it('has at most twenty files in a folder', () => {
    const folders = new Map<string, number>();
    for (const name of files) {
      const folder = join('src', name, '..');
      folders.set(folder, (folders.get(folder) ?? 0) + 1);
    }
    expect([...folders].filter(([, count]) => count > 20)).toEqual([]);
  });
});
