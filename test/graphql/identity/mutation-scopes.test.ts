/**
 * A mutation whose token may not see all that it asks for. It must be refused before anything is changed: a caller who is
 * told of an error alone takes the change for not made, and makes it again.
 */
import { describe, expect } from 'vitest';
import type { Data, Operation } from '../../support/clients/graphql-client.js';
import { serviceTest } from '../../support/fixtures/service.js';
import type { TestService } from '../../support/service.js';
import { ask } from '../attacks/ask-anything.js';
import { readEverything } from '../visibility/visibility-snapshot.js';

const it = serviceTest()
  .extend('answered', { scope: 'file', auto: true }, async ({ ada }) => {
    const [answer] = await ada.rest.answer(await ada.rest.createThread({ text: 'Hi' }));
    return { threadId: answer?.thread_id ?? '', answerId: answer?.id ?? '' };
  })
  .extend('token', { scope: 'file' }, ({ service, ada }) => service.token(ada.id, ['threads:write']))
  .extend('writer', { scope: 'file' }, ({ service, token }) => service.graphql(token));

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
