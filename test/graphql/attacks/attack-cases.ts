/** Requests that are made to cost much or to tell much, each with the code of its refusal. */
import { endless, query as threadQuery } from '../limits/fragments.js';

export interface Attack {
  /** The body of the request. */
  body: string;
  type?: string;
  /** What the first error has as its code; null where the attack is an operation that may run. */
  code: string | null;
  /** Which limit refuses it, and what that is, where it is one of an operation. */
  limit?: [name: string, maximum: number];
}

const times = (count: number, part: (n: number) => string) =>
  Array.from({ length: count }, (_, n) => part(n)).join(' ');
const query = (text: string, variables: object = {}) => JSON.stringify({ query: text, variables });
const nested = (levels: number) =>
  `{ thread(id: "thr_1") { ${'continuedFrom { '.repeat(levels)} id ${'}'.repeat(levels)} } }`;
const raw = (variables: string) =>
  `{"query": "query ($id: ID!) { thread(id: $id) { id } }", "variables": ${variables}}`;
const createToken = 'mutation ($input: CreateAccessTokenInput!) { createAccessToken(input: $input) { __typename } }';
const createThread = 'mutation ($input: CreateThreadInput!) { createThread(input: $input) { __typename } }';

const pages = 'threads(first: $n) { edges { node { messages(first: $n) { edges { node { id } } } } } }';
const beyond = (limit: string, maximum: number, text: string, variables: object = {}): Attack => ({
  ...{ body: query(text, variables), code: 'LIMIT_EXCEEDED', limit: [limit, maximum] },
});

/** Operations that ask for too much at once. */
const excessive: Record<string, Attack> = {
  'an operation nested 40 levels deep': beyond('depth', 12, nested(40)),
  '100 aliases': beyond('aliases', 30, `{ ${times(100, (n) => `a${n}:me{sub}`)} }`),
  '20,000 aliases': beyond('tokens', 2000, `{ ${times(20_000, (n) => `a${n.toString(36)}:a`)} }`),
  '100 directives': beyond('directives', 50, `{ me { sub ${'@a'.repeat(100)} } }`),
  '20,000 directives': beyond('tokens', 2000, `{ me { sub ${'@a'.repeat(20_000)} } }`),
  '2,000 fields': beyond('tokens', 2000, `{ me { ${'sub '.repeat(2000)} } }`),
  'pages of 200 in pages of 200': beyond('items', 3000, `{ ${pages.replaceAll('$n', '200')} }`),
  'the same in a variable': beyond('items', 3000, `query ($n: Int) { ${pages} }`, { n: 200 }),
  'the same in a default value': beyond('items', 3000, `query ($n: Int = 200) { ${pages} }`),
  'the same from the end': beyond('items', 3000, `{ ${pages.replace('$n', '20').replace('first: $n', 'last: 200')} }`),
  'the same in fragments': beyond(
    'items',
    3000,
    `{ ...A } fragment A on Query { threads(first: 200) { edges { node { ...B } } } }
     fragment B on Thread { messages(first: 200) { edges { cursor } } }`,
  ),
  'the histories of a page of threads': beyond('items', 3000, '{ threads { edges { node { history { at } } } } }'),
  'more than 500 values in the variables': beyond('variables', 500, 'query ($id: ID!) { thread(id: $id) { id } }', {
    id: Array.from({ length: 501 }, () => 1),
  }),
};

export const attacks: Record<string, Attack> = {
  ...excessive,
  ...Object.fromEntries(
    endless.map(([what, fragments]) => [what, beyond('fields', 5000, threadQuery('...F0', fragments), { id: 'x' })]),
  ),
  'circular fragments': {
    body: query(
      '{ me { ...A } } fragment A on Identity { ...B } fragment B on Identity { ...C sub } fragment C on Identity { ...A }',
    ),
    code: 'GRAPHQL_VALIDATION_FAILED',
  },
  'a fragment that spreads itself': {
    body: query(`{ me { ...A } } fragment A on Identity { ${'...A '.repeat(400)} }`),
    code: 'GRAPHQL_VALIDATION_FAILED',
  },
  'one field 490 times': { body: query(`{ ${'me{sub}'.repeat(490)} }`), code: null },
  'fields that may conflict with each other': {
    body: query(`{ ${times(28, (n) => `me{a${n}:sub a${n}:name}`)} }`),
    code: 'LIMIT_EXCEEDED',
  },
  '400 unused fragments': {
    body: query(`{ me { sub } } ${times(250, (n) => `fragment F${n} on Identity { sub }`)}`),
    code: 'GRAPHQL_VALIDATION_FAILED',
  },
  '300 operations in one document': {
    body: query(times(300, (n) => `query Q${n} { me { sub } }`)),
    code: 'LIMIT_EXCEEDED',
  },
  '300 unknown fields': { body: query(`{ ${times(300, (n) => `threadz${n}`)} }`), code: 'GRAPHQL_VALIDATION_FAILED' },
  'an id of 200,000 characters': {
    body: query('query ($id: ID!) { thread(id: $id) { id } }', { id: 'x'.repeat(200_000) }),
    code: 'LIMIT_EXCEEDED',
  },
  'a search for 200,000 characters': {
    body: query('query ($q: String) { threads(filter: {q: $q}) { edges { cursor } } }', { q: 'a '.repeat(100_000) }),
    code: 'INVALID_INPUT',
  },
  'a cursor of 200,000 characters': {
    body: query('query ($a: String) { threads(after: $a) { edges { cursor } } }', { a: 'x'.repeat(200_000) }),
    code: 'INVALID_CURSOR',
  },
  'a name of 200,000 characters in the document': {
    body: query(`{ ${'x'.repeat(200_000)} }`),
    code: 'LIMIT_EXCEEDED',
  },
  'variables nested 100,000 levels deep': {
    body: raw(`{"id": ${'['.repeat(100_000)}${']'.repeat(100_000)}}`),
    code: 'LIMIT_EXCEEDED',
    limit: ['variables', 500],
  },
  'variables that would change a prototype': {
    body: raw('{"__proto__": {"polluted": 1}, "constructor": {"prototype": {"polluted": 1}}, "id": "thr_none"}'),
    code: 'NOT_FOUND',
  },
  'parameters that would change a prototype': {
    body: '{"__proto__": {"query": "{ me { sub } }"}, "query": "{ thread(id: \\"x\\") { id } }"}',
    code: null,
  },
  'an operation with the name of a prototype': {
    body: '{"query": "{ me { sub } }", "operationName": "__proto__"}',
    code: 'OPERATION_RESOLUTION_FAILURE',
  },
  'an alias with the name of a prototype': {
    body: query('{ __proto__: me { sub constructor: name toString: name } }'),
    code: null,
  },
  'a list of 10,000 scopes': {
    body: query(createToken, { input: { name: 'x', scopes: Array.from({ length: 10_000 }, () => 'ME_READ') } }),
    code: 'LIMIT_EXCEEDED',
  },
  'a list of 10,000 scopes that do not exist': {
    body: query(createToken, { input: { name: 'x', scopes: Array.from({ length: 10_000 }, (_, n) => `S${n}`) } }),
    code: 'LIMIT_EXCEEDED',
  },
  'a list of 8,000 attachments': {
    body: query(createThread, {
      input: { text: 'x', attachmentIds: Array.from({ length: 8000 }, (_, n) => `att_${n}`) },
    }),
    code: 'LIMIT_EXCEEDED',
  },
  'an object with 10,000 unknown fields': {
    body: query(createThread, { input: Object.fromEntries(Array.from({ length: 10_000 }, (_, n) => [`f${n}`, n])) }),
    code: 'LIMIT_EXCEEDED',
  },
  'an object with 49 unknown fields of 4,000 characters': {
    body: query(createThread, {
      input: Object.fromEntries(Array.from({ length: 49 }, (_, n) => [`f${n}`, 'x'.repeat(4000)])),
    }),
    code: 'BAD_USER_INPUT',
  },
  'a batch of 1,000 operations': {
    body: JSON.stringify(Array.from({ length: 1000 }, () => ({ query: '{ me { sub } }' }))),
    code: 'BAD_REQUEST',
  },
  'a mutation in a form': {
    body: `query=${encodeURIComponent('mutation { createThread(input: {text: "Hi"}) { __typename } }')}`,
    type: 'application/x-www-form-urlencoded',
    code: 'UNSUPPORTED_MEDIA_TYPE',
  },
  'a mutation in a form with files': {
    body: '--b\r\ncontent-disposition: form-data; name="operations"\r\n\r\n{"query": "mutation { createThread(input: {text: \\"Hi\\"}) { __typename } }"}\r\n--b--',
    type: 'multipart/form-data; boundary=b',
    code: 'UNSUPPORTED_MEDIA_TYPE',
  },
  'what is hidden, asked of the schema': {
    body: query(
      '{ thread(id: "x") { epoch leaseUntil ownerId queuedAt organization { id } } me { tokenHash digest } }',
    ),
    code: 'GRAPHQL_VALIDATION_FAILED',
  },
  'a body of 30 MB': { body: query('{ me { sub } }', { x: 'x'.repeat(30_000_000) }), code: 'LIMIT_EXCEEDED' },
};
