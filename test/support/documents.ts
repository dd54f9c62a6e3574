/** The documents of this repository: what they are, their fenced blocks and their tables. */
import { readdirSync, readFileSync } from 'node:fs';

/** Paths of all documents, from the root of the repository. */
export const documents: readonly string[] = [
  'README.md',
  'CHANGELOG.md',
  'CONTRIBUTING.md',
  ...readdirSync('docs').flatMap((name) => (name.endsWith('.md') ? [`docs/${name}`] : [])),
];

/** The contents of the fenced blocks in `language`, in order. */
export function fencesIn(text: string, language: string): string[] {
  const blocks = [...text.matchAll(/^```(\S*)\n([\s\S]*?)^```$/gm)];
  return blocks.flatMap(([, kind, block = '']) => (kind === language ? [block.trim()] : []));
}

/** The only block in `language` of a document that holds `words`. Throws unless there is exactly one. */
export function fenceWith(document: string, { language, words }: { language: string; words: string }): string {
  const found = fencesIn(readFileSync(document, 'utf8'), language).filter((block) => block.includes(words));
  const [block] = found;
  if (block !== undefined && found.length === 1) return block;
  throw new Error(`${document} has ${found.length} blocks in ${language} with "${words}": one is expected`);
}
