/** The sources as text, for the tests that hold documents against them. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));

export interface SourceFile {
  /** From `src/`, without its ending: `modules/threads/schema`. */
  name: string;
  text: string;
}

export function readSources(): SourceFile[] {
  return readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts'))
    .map((path) => ({ name: path.slice(0, -3), text: readFileSync(join(root, 'src', path), 'utf8') }));
}
