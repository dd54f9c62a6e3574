/** The sources as text and as a graph of imports, for the tests that hold the house in order. */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));

export interface SourceFile {
  /** From `src/`, without its ending: `modules/threads/schema`. */
  name: string;
  text: string;
  imports: ImportedModule[];
}

export interface ImportedModule {
  /** As `name` above for our own files, `generated` for Prisma's client, else the package. */
  target: string;
  isOwn: boolean;
  isTypeOnly: boolean;
}

const statement = /^(?:import|export)\s+(type\s)?(?:[^'";]*?\sfrom\s+)?'([^']+)'/gm;

export function readSources(): SourceFile[] {
  return readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts'))
    .map((path) => {
      const text = readFileSync(join(root, 'src', path), 'utf8');
      return { name: path.slice(0, -3), text, imports: importsOf(path, text) };
    });
}

function importsOf(path: string, text: string): ImportedModule[] {
  return [...text.matchAll(statement)].map(([, type, specifier = '']) => {
    const isTypeOnly = type !== undefined;
    if (!specifier.startsWith('.')) return { target: specifier, isOwn: false, isTypeOnly };
    const file = relative('.', join(dirname(path), specifier)).replace(/\.js$/, '');
    return file.startsWith('..')
      ? { target: 'generated', isOwn: false, isTypeOnly }
      : { target: file, isOwn: true, isTypeOnly };
  });
}

/** Groups of files that import each other by value, as paths from a file back to itself. */
export function findCycles(sources: readonly SourceFile[]): string[][] {
  const edges = new Map(sources.map((file) => [file.name, ownValueImports(file)]));
  const cycles: string[][] = [];
  const done = new Set<string>();
  const visit = (name: string, path: string[]): void => {
    if (path.includes(name)) cycles.push([...path.slice(path.indexOf(name)), name]);
    if (path.includes(name) || done.has(name)) return;
    for (const next of edges.get(name) ?? []) visit(next, [...path, name]);
    done.add(name);
  };
  for (const name of edges.keys()) visit(name, []);
  return cycles;
}

function ownValueImports({ imports }: SourceFile): string[] {
  return imports.filter(({ isOwn, isTypeOnly }) => isOwn && !isTypeOnly).map(({ target }) => target);
}
