/**
 * Who may ask at all: a wrong token ends the whole request, a missing scope the field. A mutation whose token may not see all that it
 * asks for is refused before anything is changed: a caller who is told of an error alone takes the change for not made, and makes it
 * again. Which scope each field needs is in `test/graphql/visibility/visibility.test.ts`.
 */
import { describe, expect } from 'vitest';
import { answeredMessage } from '../../rest/messages/answered-message.js';
import type { Data, GraphQLResult, Operation } from '../../support/clients/graphql-client.js';
import { serviceTest } from '../../support/fixtures/service.js';
import type { TestService } from '../../support/service.js';
import { ask } from '../attacks/ask-anything.js';
import { readEverything } from '../visibility/visibility-snapshot.js';

const it = serviceTest()
  .extend('answered', { scope: 'file' }, ({ ada }) => answeredMessage(ada))
  .extend('token', { scope: 'file' }, ({ service, ada }) => service.token(ada.id, ['threads:write']))
  .extend('writer', { scope: 'file' }, ({ service, token }) => service.graphql(token));

describe('a request without a valid token', () => {
  const requests: [what: string, query: string, accept: string][] = [
    ['a query', '{ me { sub } }', '*/*'],
    ['a query of a client that wants the media type of GraphQL', '{ me { sub } }', 'application/graphql-response+json'],
    ['a mutation', 'mutation { createThread(input: {text: "Hi"}) { __typename } }', '*/*'],
    ['a subscription', 'subscription { responseEvents(messageId: "x") { __typename } }', 'text/event-stream'],
    ['introspection', '{ __schema { queryType { name } } }', '*/*'],
    ['an operation that does not fit the schema', '{ nothing }', '*/*'],
    ['no operation at all', '{', '*/*'],
  ];

  it.for(requests)('is 401 as a whole, in JSON: %s', async ([_what, query, accept], { service }) => {
    const response = await service.graphql().post(JSON.stringify({ query }), { accept });
    expect(response.status).toBe(401);
    expect(response.headers.get('www-authenticate')).toBe('Bearer realm="api"');
    expect(response.headers.get('content-type')).toContain('application/json');
    const body = (await response.json()) as GraphQLResult;
    expect(body).toEqual({
      errors: [
        {
          message: 'Send a personal access token as "Authorization: Bearer <token>".',
          extensions: { code: 'UNAUTHENTICATED', reason: 'missing' },
        },
      ],
    });
  });

  // Which tokens are none, and that nobody is told why, is in `test/rest/access/access.test.ts`.
  it('is 401 with a token that is none', async ({ service }) => {
    const authorization = `Bearer skn_pat_${'a'.repeat(36)}`;
    const { status, headers, body } = await service.graphql().run('{ me { sub } }', { authorization });
    expect(status).toBe(401);
    expect(headers.get('www-authenticate')).toBe('Bearer realm="api", error="invalid_token"');
    expect(body.errors?.[0]?.extensions).toEqual({ code: 'UNAUTHENTICATED', reason: 'invalid' });
  });

  it('is refused before its body is read', async ({ service }) => {
    const response = await service.graphql().post('x'.repeat(300_000));
    expect(response.status).toBe(401);
  });
});

describe('a root field without its scope', () => {
  it('does not keep the other fields of the operation from being answered', async ({ service, ada }) => {
    const graphql = service.graphql(await service.token(ada.id, ['me:read']));
    const { status, body } = await graphql.run('{ me { sub } thread(id: "x") { id } }');
    expect(status).toBe(200);
    expect(body.data).toEqual({ me: { sub: ada.id }, thread: null });
    expect(body.errors?.map(({ path, extensions }) => [path, extensions])).toEqual([
      [['thread'], { code: 'MISSING_SCOPE', requiredScope: 'threads:read' }],
    ]);
  });
});

const create = (inside: string) =>
  `createThread(input: {text: "New"}) { __typename ... on PostedMessage { ${inside} } }`;

/** Each asks for something that `threads:write` alone does not give, which stands at the path. */
const refused: [what: string, query: string, path: string, requiredScope?: string][] = [
  ['in a field of the result', `mutation { ${create('thread { id }')} }`, 'createThread.thread'],
  [
    'in a fragment, under another name',
    `mutation { made: ${create('...Made')} } fragment Made on PostedMessage { it: userMessage { id } }`,
    'made.it',
  ],
  [
    'under a condition that holds',
    `mutation ($all: Boolean = true) { ${create('threadId thread @include(if: $all) { id }')} }`,
    'createThread.thread',
  ],
  [
    'in the second of two changes',
    `mutation ($thread: ID!, $message: ID!) { ${create('threadId')}
      submitFeedback(input: {threadId: $thread, messageId: $message, positive: true}) { __typename } }`,
    ...(['submitFeedback', 'feedback:write'] as const),
  ],
  [
    'deep within what was changed',
    `mutation ($thread: ID!) { renameThread(input: {id: $thread, name: "Rome"}) {
      ... on Thread { name ... on Thread { messages(first: 1) { edges { node { id } } } } } } }`,
    'renameThread.messages',
  ],
];

/** Without the tokens in transit, which go some time after a response has ended. */
async function readConversations(service: TestService) {
  const { thread, message, response, feedback } = await readEverything(service.database);
  return { thread, message, response, feedback };
}

function withIds(answered: { threadId: string; answerId: string }, query: string) {
  const variables = { thread: answered.threadId, message: answered.answerId };
  const used = Object.entries(variables).filter(([name]) => query.includes(`$${name}:`));
  return { query, variables: Object.fromEntries(used) };
}

describe('a mutation that selects fields beyond the scopes of its token changes nothing', () => {
  it.for(refused)('%s', async ([_what, query, path, scope = 'threads:read'], { service, answered, token, writer }) => {
    const asked = withIds(answered, query);
    const before = await readConversations(service);
    const { body } = await writer.run(asked);
    const [onStream] = await ask({ url: `${service.url}/graphql/stream`, token, ...asked, isLast: () => true });
    expect(await readConversations(service)).toEqual(before);
    for (const result of [body, onStream]) {
      expect(result?.data ?? null).toBeNull();
      const extensions = { code: 'MISSING_SCOPE', requiredScope: scope };
      expect(result?.errors).toMatchObject([{ path: path.split('.'), extensions }]);
    }
  });
});

describe('a mutation is carried out if its token may see all that it really selects', () => {
  const threads = `__typename ... on PostedMessage { threadId }`;
  const created = `mutation { createThread(input: {text: "New"}) { ${threads} } }`;
  it.for([
    ['the ids alone', { query: `mutation { ${create('threadId messageId')} }` }],
    [
      'more, under conditions that do not hold',
      {
        query: `mutation ($all: Boolean!) { ${create('threadId thread @include(if: $all) { id } ...Out @skip(if: true)')} }
          fragment Out on PostedMessage { userMessage { id } }`,
        variables: { all: false },
      },
    ],
    [
      'more, in another operation of the document',
      {
        query: `${created.replace('mutation', 'mutation One')} mutation Other { ${create('thread { id }')} }`,
        operationName: 'One',
      },
    ],
  ] satisfies [string, Operation][])('%s', async ([_what, operation], { service, writer }) => {
    const { body } = await writer.run(operation);
    expect(body.errors).toBeUndefined();
    const { createThread } = body.data as Data<typeof created>;
    const id = createThread.threadId;
    expect(await service.database.thread.count({ where: { id } })).toBe(1);
  });
});
