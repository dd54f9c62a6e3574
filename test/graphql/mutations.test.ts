/** What can be changed: every outcome of each mutation is a member of its result, never a guess from nulls. */
import { describe, expect } from 'vitest';
import { activeThread, failedThread } from '../rest/threads/thread-stages.js';
import type { GraphQLClient } from '../support/clients/graphql-client.js';
import { it } from '../support/fixtures/service.js';
import type { Person } from '../support/service.js';
import { addThread } from '../support/threads.js';

const outcome = `
  __typename
  ... on Error { code message }
  ... on InvalidInputError { problems { field message } }`;

async function mutate(
  graphql: GraphQLClient,
  field: string,
  { type, input, more = '' }: { type: string; input: object; more?: string },
) {
  const query = `mutation ($input: ${type}!) { ${field}(input: $input) { ${outcome} ${more} } }`;
  return (await graphql.data(query, { input }))[field];
}

describe('createThread', () => {
  const create = (graphql: GraphQLClient, input: object) =>
    mutate(graphql, 'createThread', {
      type: 'CreateThreadInput',
      input,
      more: '... on PostedMessage { threadId messageId }',
    });

  it('is PostedMessage, and the thread is answered', async ({ ada, graphql }) => {
    const posted = (await create(graphql, { text: 'Hi', name: 'Rome', isPrivate: true })) as {
      threadId: string;
      messageId: string;
    };
    expect(posted).toMatchObject({ __typename: 'PostedMessage' });
    const [answer] = await ada.rest.answer(posted);
    expect(answer?.contents).toEqual([{ type: 'text', text: 'Hello from the model.' }]);
    const { body } = await ada.rest.get(`/threads/${posted.threadId}`);
    expect(body).toMatchObject({ name: 'Rome', is_private: true, state: 'ready' });
  });

  it.for([
    [{ text: '' }, [{ field: 'text', message: 'must not be empty' }]],
    [{ text: ' \n' }, [{ field: 'text', message: 'must not be empty' }]],
    [{ text: 'x'.repeat(100_001) }, [{ field: 'text', message: 'must be at most 100000 characters long' }]],
    [{ text: 'a\u0000b' }, [{ field: 'text', message: 'must not contain the character U+0000' }]],
    [
      { text: '\ud800', name: 'x'.repeat(256) },
      [
        { field: 'text', message: 'must not contain unpaired surrogates' },
        { field: 'name', message: 'must be at most 255 characters long' },
      ],
    ],
  ] as const)(
    'is InvalidInputError with every problem, and nothing is stored: case %#',
    async ([input, problems], { service, graphql }) => {
      const before = await service.service.database.thread.count();
      expect(await create(graphql, input)).toMatchObject({
        __typename: 'InvalidInputError',
        code: 'INVALID_INPUT',
        problems,
      });
      expect(await service.service.database.thread.count()).toBe(before);
    },
  );
});

describe('sendMessage', () => {
  const send = (graphql: GraphQLClient, input: object) =>
    mutate(graphql, 'sendMessage', {
      type: 'SendMessageInput',
      input,
      more: '... on PostedMessage { threadId messageId } ... on ThreadNotReadyError { state }',
    });

  it('is PostedMessage for a thread that is ready', async ({ ada, graphql }) => {
    const { threadId } = await ada.rest.readyThread({ text: 'Hi' });
    const posted = await send(graphql, { threadId, text: 'And now?' });
    expect(posted).toEqual({ __typename: 'PostedMessage', threadId, messageId: expect.stringMatching(/^msg_/) });
    await ada.rest.answer(posted as { threadId: string; messageId: string });
  });

  it('is InvalidInputError for a text that cannot be sent', async ({ service, ada, graphql }) => {
    const threadId = await addThread(service, ada);
    const problems = [{ field: 'text', message: 'must not be empty' }];
    expect(await send(graphql, { threadId, text: '' })).toMatchObject({ __typename: 'InvalidInputError', problems });
  });

  it.for(['thr_00000000000000000000000000', 'nonsense', '', 'thr_\u0000'])(
    'is NotFoundError for %j',
    async (threadId, { graphql }) => {
      expect(await send(graphql, { threadId, text: 'Hi' })).toMatchObject({
        __typename: 'NotFoundError',
        code: 'NOT_FOUND',
      });
    },
  );

  it('is ThreadNotReadyError with the state of the thread', async ({ service, ada, graphql }) => {
    const active = await activeThread({ service, rest: ada.rest });
    const refusal = { __typename: 'ThreadNotReadyError', code: 'THREAD_NOT_READY', state: 'ACTIVE' };
    expect(await send(graphql, { threadId: active.threadId, text: 'Hi' })).toMatchObject(refusal);
    active.finish();
    await ada.rest.answer(active);
    const failed = await failedThread({ service, rest: ada.rest });
    expect(await send(graphql, { threadId: failed.threadId, text: 'Hi' })).toMatchObject({
      ...refusal,
      state: 'ERROR',
    });
  });
});

describe('submitFeedback', () => {
  const rate = (graphql: GraphQLClient, input: object) =>
    mutate(graphql, 'submitFeedback', {
      type: 'SubmitFeedbackInput',
      input,
      more: '... on Feedback { messageId positive text }',
    });

  async function answered(ada: Person) {
    const sent = await ada.rest.readyThread({ text: 'Hi' });
    const [answer] = await ada.rest.answer(sent);
    return { threadId: sent.threadId, questionId: sent.messageId, messageId: answer?.id ?? '' };
  }

  it('is Feedback, and replaces the earlier one', async ({ service, ada, graphql }) => {
    const { threadId, messageId } = await answered(ada);
    expect(await rate(graphql, { threadId, messageId, positive: false, text: 'Hm' })).toEqual({
      ...{ __typename: 'Feedback', messageId, positive: false, text: 'Hm' },
    });
    expect(await rate(graphql, { threadId, messageId, positive: true })).toEqual({
      ...{ __typename: 'Feedback', messageId, positive: true, text: null },
    });
    const stored = await service.service.database.feedback.findMany({ where: { messageId } });
    expect(stored).toMatchObject([{ userId: ada.id, positive: true, text: null }]);
  });

  it('is NotAnAnswerError for a message of a user', async ({ ada, graphql }) => {
    const { threadId, questionId } = await answered(ada);
    const refusal = { __typename: 'NotAnAnswerError', code: 'NOT_AN_ANSWER' };
    expect(await rate(graphql, { threadId, messageId: questionId, positive: true })).toMatchObject(refusal);
  });

  it('is NotFoundError under another thread, and for malformed ids', async ({ service, ada, graphql }) => {
    const { threadId, messageId } = await answered(ada);
    const other = await addThread(service, ada);
    const hidden = { __typename: 'NotFoundError', code: 'NOT_FOUND' };
    expect(await rate(graphql, { threadId: other, messageId, positive: true })).toMatchObject(hidden);
    expect(await rate(graphql, { threadId, messageId: 'msg_none', positive: true })).toMatchObject(hidden);
  });

  it('is InvalidInputError for a comment that is too long', async ({ ada, graphql }) => {
    const { threadId, messageId } = await answered(ada);
    const problems = [{ field: 'text', message: 'must be at most 10000 characters long' }];
    const text = 'x'.repeat(10_001);
    expect(await rate(graphql, { threadId, messageId, positive: true, text })).toMatchObject({
      __typename: 'InvalidInputError',
      problems,
    });
  });
});
