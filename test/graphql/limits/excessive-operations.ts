/** Operations that ask for too much at once, each with the limit that refuses it. */
import type { Operation } from '../../support/clients/graphql-client.js';

export function nested(levels: number): string {
  return `{ thread(id: "x") { ${'continuedFrom { '.repeat(levels - 2)} id ${'}'.repeat(levels - 2)} } }`;
}

export const aliases = (count: number) =>
  `{ ${Array.from({ length: count }, (_, n) => `a${n.toString(36)}:me{sub}`)} }`;
export const directives = (count: number) => `{ me { sub ${'@a'.repeat(count)} } }`;
export const pages = 'threads(first: $n) { edges { node { messages(first: $n) { edges { node { id } } } } } }';

export const excessive: [what: string, limit: string, maximum: number, operation: Operation | string][] = [
  ['an operation that is nested 40 levels deep', 'depth', 12, nested(40)],
  ['100 aliases', 'aliases', 30, aliases(100)],
  [
    '20,000 aliases',
    'tokens',
    2000,
    `{ ${Array.from({ length: 20_000 }, (_, n) => `${n.toString(36)}:a`)} }`.replaceAll(/\b(\d)/g, 'z$1'),
  ],
  ['100 directives', 'directives', 50, directives(100)],
  ['20,000 directives', 'tokens', 2000, directives(20_000)],
  ['2,000 fields', 'tokens', 2000, `{ me { ${'sub '.repeat(2000)} } }`],
  ['pages of 200 inside of pages of 200', 'items', 3000, `{ ${pages.replaceAll('$n', '200')} }`],
  ['the same in a variable', 'items', 3000, { query: `query ($n: Int) { ${pages} }`, variables: { n: 200 } }],
  ['the same in a default value', 'items', 3000, { query: `query ($n: Int = 200) { ${pages} }` }],
  [
    'pages from the end',
    'items',
    3000,
    {
      query: `query ($n: Int) { ${pages.replace('$n', '20').replace('first: $n', 'last: $n')} }`,
      variables: { n: 200 },
    },
  ],
  ['the histories of a page of threads', 'items', 3000, '{ threads { edges { node { history { at } } } } }'],
  [
    'more than 500 values in the variables',
    'variables',
    500,
    { query: 'query ($x: ID!) { thread(id: $x) { id } }', variables: { x: Array.from({ length: 501 }, () => 1) } },
  ],
  [
    'values that are nested 600 levels deep',
    'variables',
    500,
    { query: '{ me { sub } }', variables: { x: JSON.parse(`${'['.repeat(600)}${']'.repeat(600)}`) as unknown } },
  ],
  [
    'pages in pages, in fragments',
    'items',
    3000,
    `{ ...A } fragment A on Query { threads(first: 200) { edges { node { ...B } } } }
     fragment B on Thread { messages(first: 200) { edges { cursor } } }`,
  ],
];
