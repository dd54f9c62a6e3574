/** The rules that keep the tree readable. Which room may know which stands in `architecture/rooms.ts`. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { endpoints } from '../src/rest/endpoints.js';
import { circles, type Import, readImports } from './architecture/imports.js';
import { isInRoom, type Rule, rules } from './architecture/rooms.js';

const imports = readImports();
const files = readdirSync('src', { recursive: true, encoding: 'utf8' }).filter((name) => /\.tsx?$/.test(name));

/** The imports of a file that break a rule. */
function offences(rule: Rule, [file, imported]: [string, Import[]]): string[] {
  if (!rule.from.test(file) || rule.except?.test(file)) return [];
  return imported
    .filter(({ path, isDynamic }) => rule.to.test(path) && !(rule.isForStaticImports && isDynamic))
    .filter(({ path }) => !rule.allowed?.some((allowed) => allowed.test(path)))
    .map(({ path }) => `${file} must not import ${path}: ${rule.name}`);
}

const broken = (tree: Map<string, Import[]>) =>
  rules.flatMap((rule) => [...tree].flatMap((file) => offences(rule, file)));

describe('architecture', () => {
  it('imports in one direction only and without cycles, including types and components', () => {
    expect(broken(imports)).toEqual([]);
    expect(circles(imports)).toEqual([]);
    expect([...imports.keys()].filter((file) => !isInRoom(file))).toEqual([]);
  });

  it('is read with everything that is imported: packages, types, components and what is loaded late', () => {
    const of = (file: string) => imports.get(file)?.map(({ path, isDynamic }) => `${path}${isDynamic ? ' late' : ''}`);
    expect(of('src/web/app.tsx')).toContain('src/web/shell/shell.tsx');
    expect(of('src/app.ts')).toContain('node_modules/koa/');
    expect(of('src/platform/tracing/start-tracing.ts')).toContain('src/platform/tracing/open-telemetry.ts late');
    const routed = readFileSync('src/rest/endpoints.ts', 'utf8').match(/ from '/g);
    expect(of('src/rest/endpoints.ts')).toHaveLength(routed?.length ?? 0);
  });

  it.each([
    ['src/rest/router.ts', 'src/modules/threads/title.ts', 'REST is a client of the graph'],
    ['src/rest/router.ts', 'node_modules/@prisma/client/', 'REST is a client of the graph'],
    ['src/modules/threads/title.ts', 'node:http', 'the domain knows no HTTP'],
    ['src/modules/threads/title.ts', 'node_modules/koa/', 'only the transports know Koa'],
    ['src/modules/threads/title.ts', 'src/modules/messages/schema.ts', 'modules/threads knows only'],
    ['src/modules/threads/title.ts', 'src/graphql/yoga.ts', 'modules/threads knows only'],
    ['src/log.ts', 'node_modules/@opentelemetry/api/', 'OpenTelemetry is known to one room'],
    ['src/process/run.ts', 'src/platform/tracing/open-telemetry.ts', 'OpenTelemetry is loaded only'],
  ])('notices where %s imports %s', (from, to, rule) => {
    const path = { path: to, isDynamic: false };
    expect(broken(new Map([[from, [path]]])).filter((offence) => offence.includes(rule))).toHaveLength(1);
    const back = { path: from, isDynamic: false };
    expect(
      circles(
        new Map([
          [from, [path]],
          [to, [back]],
        ]),
      ),
    ).toEqual([`${from} → ${to} → ${from}`]);
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
