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

const many = <Item>(length: number, item: (n: number) => Item) => Array.from({ length }, (_, n) => item(n));
const times = (count: number, part: (n: number) => string) => many(count, part).join(' ');
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
    id: many(501, () => 1),
  }),
};

/** Bodies by the code of their refusal. */
const refused = (code: string | null, bodies: Record<string, string>): Record<string, Attack> =>
  Object.fromEntries(Object.entries(bodies).map(([what, body]) => [what, { body, code }]));
const byThread = (id: string) => query('query ($id: ID!) { thread(id: $id) { id } }', { id });
const inForm = 'mutation { createThread(input: {text: "Hi"}) { __typename } }';

export const attacks: Record<string, Attack> = {
  ...excessive,
  ...Object.fromEntries(
    endless.map(([what, fragments]) => [what, beyond('fields', 5000, threadQuery('...F0', fragments), { id: 'x' })]),
  ),
  ...refused('GRAPHQL_VALIDATION_FAILED', {
    'circular fragments': query(
      '{ me { ...A } } fragment A on Identity { ...B } fragment B on Identity { ...C sub } fragment C on Identity { ...A }',
    ),
    'a fragment that spreads itself': query(`{ me { ...A } } fragment A on Identity { ${'...A '.repeat(400)} }`),
    '400 unused fragments': query(`{ me { sub } } ${times(250, (n) => `fragment F${n} on Identity { sub }`)}`),
    '300 unknown fields': query(`{ ${times(300, (n) => `threadz${n}`)} }`),
    'what is hidden, asked of the schema': query(
      '{ thread(id: "x") { epoch leaseUntil ownerId queuedAt organization { id } } me { tokenHash digest } }',
    ),
  }),
  ...refused('LIMIT_EXCEEDED', {
    'fields that may conflict with each other': query(`{ ${times(28, (n) => `me{a${n}:sub a${n}:name}`)} }`),
    '300 operations in one document': query(times(300, (n) => `query Q${n} { me { sub } }`)),
    'an id of 200,000 characters': byThread('x'.repeat(200_000)),
    'a name of 200,000 characters in the document': query(`{ ${'x'.repeat(200_000)} }`),
    'a list of 10,000 scopes': query(createToken, { input: { name: 'x', scopes: many(10_000, () => 'ME_READ') } }),
    'a list of 10,000 scopes that do not exist': query(createToken, {
      input: { name: 'x', scopes: many(10_000, (n) => `S${n}`) },
    }),
    'a list of 8,000 attachments': query(createThread, {
      input: { text: 'x', attachmentIds: many(8000, (n) => `att_${n}`) },
    }),
    'an object with 10,000 unknown fields': query(createThread, {
      input: Object.fromEntries(many(10_000, (n) => [`f${n}`, n])),
    }),
    'a body of 30 MB': query('{ me { sub } }', { x: 'x'.repeat(30_000_000) }),
  }),
  'variables nested 100,000 levels deep': {
    body: raw(`{"id": ${'['.repeat(100_000)}${']'.repeat(100_000)}}`),
    ...{ code: 'LIMIT_EXCEEDED', limit: ['variables', 500] },
  },
  ...refused(null, {
    'one field 490 times': query(`{ ${'me{sub}'.repeat(490)} }`),
    'parameters that would change a prototype':
      '{"__proto__": {"query": "{ me { sub } }"}, "query": "{ thread(id: \\"x\\") { id } }"}',
    'an alias with the name of a prototype': query('{ __proto__: me { sub constructor: name toString: name } }'),
  }),
  ...refused('INVALID_INPUT', {
    'a search for 200,000 characters': query('query ($q: String) { threads(filter: {q: $q}) { edges { cursor } } }', {
      q: 'a '.repeat(100_000),
    }),
  }),
  ...refused('INVALID_CURSOR', {
    'a cursor of 200,000 characters': query('query ($a: String) { threads(after: $a) { edges { cursor } } }', {
      a: 'x'.repeat(200_000),
    }),
  }),
  ...refused('NOT_FOUND', {
    'variables that would change a prototype': raw(
      '{"__proto__": {"polluted": 1}, "constructor": {"prototype": {"polluted": 1}}, "id": "thr_none"}',
    ),
  }),
  ...refused('OPERATION_RESOLUTION_FAILURE', {
    'an operation with the name of a prototype': '{"query": "{ me { sub } }", "operationName": "__proto__"}',
  }),
  ...refused('BAD_USER_INPUT', {
    'an object with 49 unknown fields of 4,000 characters': query(createThread, {
      input: Object.fromEntries(many(49, (n) => [`f${n}`, 'x'.repeat(4000)])),
    }),
  }),
  ...refused('BAD_REQUEST', {
    'a batch of 1,000 operations': JSON.stringify(many(1000, () => ({ query: '{ me { sub } }' }))),
  }),
  'a mutation in a form': {
    body: `query=${encodeURIComponent(inForm)}`,
    ...{ type: 'application/x-www-form-urlencoded', code: 'UNSUPPORTED_MEDIA_TYPE' },
  },
  'a mutation in a form with files': {
    body: `--b\r\ncontent-disposition: form-data; name="operations"\r\n\r\n${query(inForm)}\r\n--b--`,
    ...{ type: 'multipart/form-data; boundary=b', code: 'UNSUPPORTED_MEDIA_TYPE' },
  },
};
