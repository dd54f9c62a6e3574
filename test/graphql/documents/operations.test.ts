/** Single objects: the viewer, a thread, and a message with every kind of block. */
import { describe, expect } from 'vitest';
import { numbered, storeMessages } from '../../rest/messages/stored-messages.js';
import { serviceTest } from '../../support/fixtures/service.js';
import { addThread } from '../../support/threads.js';

const it = serviceTest().extend('ada', { scope: 'file' }, ({ service }) =>
  service.person({ org: 'acme', name: 'Ada', role: 'admin' }),
);

describe('me', () => {
  it('is the user and the organization of the token', async ({ ada, graphql }) => {
    const query = '{ me { sub name email userNumber organizationNumber organizationSlug role } }';
    expect(await graphql.data(query)).toEqual({
      me: {
        sub: ada.id,
        name: 'Ada',
        email: ada.email,
        userNumber: expect.any(Number),
        organizationNumber: expect.any(Number),
        organizationSlug: 'acme',
        role: 'ADMIN',
      },
    });
  });
});

describe('thread', () => {
  const query =
    'query ($id: ID!) { thread(id: $id) { id name state interruptReason isPrivate archived owner { id name } createdAt updatedAt appUrl } }';

  it('has the fields of REST, under their names in GraphQL', async ({ service, ada, graphql }) => {
    const id = await addThread(service, ada, { name: 'Rome', isPrivate: true, archived: true });
    const { body } = await ada.rest.get<Record<string, unknown>>(`/threads/${id}`);
    expect(await graphql.data(query, { id })).toEqual({
      thread: {
        id,
        name: 'Rome',
        state: 'READY',
        interruptReason: null,
        isPrivate: true,
        archived: true,
        owner: { id: ada.id, name: 'Ada' },
        createdAt: body['created_at'],
        updatedAt: body['updated_at'],
        appUrl: `https://skein.test/threads/${id}`,
      },
    });
  });

  it('is null, with the error NOT_FOUND, if there is none', async ({ graphql }) => {
    const { body } = await graphql.run({ query, variables: { id: 'thr_none' } });
    expect(body).toMatchObject({
      data: { thread: null },
      errors: [{ path: ['thread'], extensions: { code: 'NOT_FOUND' } }],
    });
  });

  it('refuses an id with a character that no database can hold as the caller’s mistake', async ({ graphql }) => {
    const failure = await graphql.failure({ query, variables: { id: 'thr_\u0000' } });
    expect(failure.extensions).toMatchObject({
      code: 'INVALID_INPUT',
      errors: [{ message: expect.stringContaining('U+0000') }],
    });
    expect(failure.path).toEqual(['thread']);
  });
});

describe('message', () => {
  const query = `query ($threadId: ID!, $id: ID!) { message(threadId: $threadId, id: $id) {
    id threadId role active createdAt appUrl
    contents {
      __typename
      ... on TextBlock { text }
      ... on ImageBlock { attachmentId }
      ... on DocumentBlock { attachmentId }
      ... on UserGetChoiceBlock { toolUseId question choices }
    }
  } }`;

  it('has every kind of block, in order', async ({ service, ada, graphql }) => {
    const threadId = await addThread(service, ada);
    const [id = ''] = await storeMessages(service, threadId, [
      {
        role: 'assistant',
        contents: [
          { type: 'text', text: 'Look:' },
          { type: 'image', attachmentId: 'att_1' },
          { type: 'document', attachmentId: 'att_2' },
          { type: 'user_get_choice', toolUseId: 'call_1', question: 'Which?', choices: ['A', 'B'] },
        ],
      },
    ]);
    expect(await graphql.data(query, { threadId, id })).toEqual({
      message: {
        id,
        threadId,
        role: 'ASSISTANT',
        active: true,
        createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
        appUrl: `https://skein.test/threads/${threadId}/messages/${id}`,
        contents: [
          { __typename: 'TextBlock', text: 'Look:' },
          { __typename: 'ImageBlock', attachmentId: 'att_1' },
          { __typename: 'DocumentBlock', attachmentId: 'att_2' },
          { __typename: 'UserGetChoiceBlock', toolUseId: 'call_1', question: 'Which?', choices: ['A', 'B'] },
        ],
      },
    });
  });

  it('is not found under another thread', async ({ service, ada, graphql }) => {
    const [threadId, other] = [await addThread(service, ada), await addThread(service, ada)];
    const [id] = await storeMessages(service, threadId, numbered(1));
    const failure = await graphql.failure({ query, variables: { threadId: other, id } });
    expect(failure.extensions?.['code']).toBe('NOT_FOUND');
  });
});
