/** What the documents point to exists: files, headings of other documents, and tests. */
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { documents } from '../support/documents.js';

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
