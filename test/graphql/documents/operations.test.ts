/** Single objects by ids that name nothing. What the objects hold is in `test/parity/outcomes.test.ts`. */
import { describe, expect } from 'vitest';
import { numbered, storeMessages } from '../../rest/messages/stored-messages.js';
import { it } from '../../support/fixtures/service.js';
import { addThread } from '../../support/threads.js';

describe('thread', () => {
  const query = 'query ($id: ID!) { thread(id: $id) { id } }';

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
  it('is not found under another thread', async ({ service, ada, graphql }) => {
    const [threadId, other] = [await addThread(service, ada), await addThread(service, ada)];
    const [id] = await storeMessages(service, threadId, numbered(1));
    const query = 'query ($threadId: ID!, $id: ID!) { message(threadId: $threadId, id: $id) { id } }';
    const failure = await graphql.failure({ query, variables: { threadId: other, id } });
    expect(failure.extensions?.['code']).toBe('NOT_FOUND');
  });
});
