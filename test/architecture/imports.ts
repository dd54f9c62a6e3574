/**
 * What each source imports, types too, as TypeScript reads it. An import that leads to no file is an error, so none is overlooked.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { dirname, join } from 'node:path/posix';
import typescript from '@tsd/typescript';

export interface Import {
  /** From the root of the tree: `src/log.ts`, `node_modules/koa/`, `node:http`. */
  path: string;
  /** By `import()`, and in no other way. */
  isDynamic: boolean;
}

/** By the path of each file of `src`. */
export function readImports(): Map<string, Import[]> {
  const names = readdirSync('src', { recursive: true, encoding: 'utf8' }).filter((name) => /\.tsx?$/.test(name));
  return new Map(names.map((name) => `src/${name.replaceAll('\\', '/')}`).map((file) => [file, importsOf(file)]));
}

function importsOf(file: string): Import[] {
  const text = readFileSync(file, 'utf8');
  const specifiers = typescript.preProcessFile(text).importedFiles.map(({ fileName }) => fileName);
  return specifiers.map((specifier) => ({
    path: resolve(file, specifier),
    isDynamic: !text.includes(` from '${specifier}'`) && !text.includes(`import '${specifier}'`),
  }));
}

function resolve(from: string, specifier: string): string {
  if (isBuiltin(specifier)) return `node:${specifier.replace(/^node:/, '')}`;
  if (!specifier.startsWith('.')) return `node_modules/${specifier}/`;
  // Vite takes what follows a question mark.
  const path = join(dirname(from), specifier.replace(/\?.*/, ''));
  const source = path.replace(/\.js$/, '');
  const found = [`${source}.ts`, `${source}.tsx`, `${source}.d.ts`, path].find((candidate) => existsSync(candidate));
  if (!found) throw new Error(`${from} imports ${specifier}, and there is no such file.`);
  return found;
}

/** Files that import each other in a circle: each circle once, as a path from one file back to it. */
export function circles(imports: Map<string, Import[]>): string[] {
  const found: string[] = [];
  const finished = new Set<string>();
  const visit = (file: string, way: readonly string[]) => {
    const at = way.indexOf(file);
    if (at >= 0) found.push([...way.slice(at), file].join(' → '));
    if (at >= 0 || finished.has(file)) return;
    for (const { path } of imports.get(file) ?? []) visit(path, [...way, file]);
    finished.add(file);
  };
  for (const file of imports.keys()) visit(file, []);
  return found;
}
