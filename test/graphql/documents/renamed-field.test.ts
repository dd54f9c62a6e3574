/**
 * Every document is typed by the schema: where a field of it gets another name, the compiler refuses whatever still uses the old
 * one, in the web application, in REST and in the tests. Tried with a copy of the sources that differs only in the types that
 * are generated from the schema. The copy declares the schema itself without its parts, which takes most of the time away.
 */
import { execFile } from 'node:child_process';
import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildASTSchema, type DocumentNode, Kind, parse, visit } from 'graphql';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { schemaTypes } from '../../support/clients/schema-types.js';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const typesFile = 'src/graphql/document-types/generated/schema-types.d.ts';
const declaredSchema = `import type { GraphQLSchema } from 'graphql';
export declare const schema: GraphQLSchema;`;

const selecting = [
  ['the web application', 'src/web/api/message-documents.ts'],
  ['REST', 'src/rest/endpoints/list-messages.ts'],
  ['the tests', 'test/graphql/messages/message-pages.ts'],
];
const giving = 'src/rest/endpoints/create-thread.ts';

type Named = { name: { value: string } };

/** Gives a field of an object or of an input another name. */
function rename(schema: DocumentNode, [type, field, to]: readonly [string, string, string]): DocumentNode {
  const renamed = <Field extends Named>(fields: readonly Field[] = []) =>
    fields.map((each) => (each.name.value === field ? { ...each, name: { ...each.name, value: to } } : each));
  return visit(schema, {
    [Kind.OBJECT_TYPE_DEFINITION]: (node) =>
      node.name.value === type ? { ...node, fields: renamed(node.fields) } : undefined,
    [Kind.INPUT_OBJECT_TYPE_DEFINITION]: (node) =>
      node.name.value === type ? { ...node, fields: renamed(node.fields) } : undefined,
  });
}

let copy: string;
let errors: string[];
beforeAll(async () => {
  copy = await mkdtemp(join(tmpdir(), 'skein-renamed-'));
  for (const name of ['src', 'test', 'prisma', 'tsconfig.json', 'package.json'])
    await cp(join(root, name), join(copy, name), { recursive: true });
  await symlink(join(root, 'node_modules'), join(copy, 'node_modules'));
  const schema = parse(await readFile(join(root, 'schema.graphql'), 'utf8'));
  const once = rename(schema, ['Message', 'role', 'speaker']);
  const twice = rename(once, ['CreateThreadInput', 'isPrivate', 'isHidden']);
  await writeFile(join(copy, typesFile), schemaTypes(buildASTSchema(twice)));
  await writeFile(join(copy, 'src/graphql/schema.ts'), declaredSchema);
  const compilerOptions = {
    ...{ rootDir: '.', noEmit: true, incremental: false, jsx: 'react-jsx' },
    ...{ types: ['node', 'vite/client'], lib: ['es2024', 'DOM', 'DOM.Iterable'] },
  };
  const project = {
    extends: './tsconfig.json',
    compilerOptions,
    files: [...selecting.map(([, file]) => file), giving],
  };
  await writeFile(join(copy, 'renamed.json'), JSON.stringify({ ...project, include: [] }));
  errors = await compile('renamed.json');
});
afterAll(() => rm(copy, { recursive: true }));

/** What the compiler says, a line each. */
function compile(project: string): Promise<string[]> {
  const compiler = join(root, 'node_modules/typescript/bin/tsc');
  const args = [compiler, '--singleThreaded', '--pretty', 'false', '--project', project];
  return new Promise((resolve) => {
    // The compiler exits with an error where it finds one, which it should.
    execFile(process.execPath, args, { cwd: copy }, (_error, stdout) => resolve(stdout.split('\n')));
  });
}

const errorsIn = (file: string) => errors.filter((line) => line.startsWith(`${file}(`));

describe('a field with another name is a type error', () => {
  it.each(selecting)('if %s selects it: %s', (_who, file) => {
    expect(errorsIn(file)).toContainEqual(expect.stringMatching(/error TS.*role/));
  });

  it('if an input sets it', () => {
    expect(errorsIn(giving)).toContainEqual(expect.stringContaining("'isPrivate' does not exist"));
  });

  it('and nothing else is', () => {
    const files = errors.flatMap((line) => /^(.*)\(\d+,\d+\): error/.exec(line)?.[1] ?? []);
    const using = [...selecting.map(([, file]) => file), giving, 'src/rest/presenters/message.ts'];
    expect(new Set(files)).toEqual(new Set(using));
  });
});
