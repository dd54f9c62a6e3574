/**
 * `createThread`: every outcome is a member of its result, never a guess from nulls. That this and the other mutations which REST
 * has too say the same as there, outcome by outcome, is in `test/parity/outcomes.test.ts`.
 */
import { describe, expect } from 'vitest';
import { it } from '../../support/fixtures/service.js';

const create = `mutation ($input: CreateThreadInput!) { createThread(input: $input) {
  __typename
  ... on PostedMessage { threadId messageId }
  ... on Error { code }
  ... on InvalidInputError { problems { field message } } } }`;

describe('createThread', () => {
  it('is PostedMessage, and the thread is answered', async ({ ada, graphql }) => {
    const input = { text: 'Hi', name: 'Rome', isPrivate: true };
    const { createThread: posted } = await graphql.data(create, { input });
    expect(posted).toMatchObject({ __typename: 'PostedMessage' });
    const [answer] = await ada.rest.answer(posted);
    expect(answer?.contents).toEqual([{ type: 'text', text: 'Hello from the model.' }]);
    const { body } = await ada.rest.get(`/threads/${posted.threadId}`);
    expect(body).toMatchObject({ name: 'Rome', is_private: true, state: 'ready' });
  });

  it('is InvalidInputError with every problem, and nothing is stored', async ({ service, graphql }) => {
    const before = await service.service.database.thread.count();
    for (const [input, problems] of [
      [{ text: '' }, { text: 'must not be empty' }],
      [{ text: ' \n' }, { text: 'must not be empty' }],
      [{ text: 'x'.repeat(100_001) }, { text: 'must be at most 100000 characters long' }],
      [{ text: 'a\u0000b' }, { text: 'must not contain the character U+0000' }],
      [
        { text: '\ud800', name: 'x'.repeat(256) },
        { text: 'must not contain unpaired surrogates', name: 'must be at most 255 characters long' },
      ],
    ] as const) {
      const refused = { __typename: 'InvalidInputError', code: 'INVALID_INPUT' };
      const { createThread } = await graphql.data(create, { input });
      const expected = Object.entries(problems).map(([field, message]) => ({ field, message }));
      expect(createThread).toEqual({ ...refused, problems: expected });
    }
    expect(await service.service.database.thread.count()).toBe(before);
  });
});
