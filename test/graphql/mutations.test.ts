/** What can be changed: every outcome of each mutation is a member of its result, never a guess from nulls. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { activeThread, failedThread } from '../rest/threads/thread-stages.js';
import { GraphQLClient } from '../support/clients/graphql-client.js';
import { type Person, startTestService, type TestService } from '../support/service.js';
import { addThread } from '../support/threads.js';

let service: TestService;
let ada: Person;
let graphql: GraphQLClient;
beforeAll(async () => {
  service = await startTestService();
  ada = await service.person();
  graphql = new GraphQLClient({ origin: service.url, token: ada.token });
});
afterAll(() => service.stop());

const outcome = `
  __typename
  ... on Error { code message }
  ... on InvalidInputError { problems { field message } }`;

async function mutate(field: string, { type, input, more = '' }: { type: string; input: object; more?: string }) {
  const query = `mutation ($input: ${type}!) { ${field}(input: $input) { ${outcome} ${more} } }`;
  return (await graphql.data(query, { input }))[field];
}

describe('createThread', () => {
  const create = (input: object) =>
    mutate('createThread', { type: 'CreateThreadInput', input, more: '... on PostedMessage { threadId messageId }' });

  it('is PostedMessage, and the thread is answered', async () => {
    const posted = (await create({ text: 'Hi', name: 'Rome', isPrivate: true })) as {
      threadId: string;
      messageId: string;
    };
    expect(posted).toMatchObject({ __typename: 'PostedMessage' });
    const [answer] = await ada.rest.answer(posted);
    expect(answer?.contents).toEqual([{ type: 'text', text: 'Hello from the model.' }]);
    const { body } = await ada.rest.get(`/threads/${posted.threadId}`);
    expect(body).toMatchObject({ name: 'Rome', is_private: true, state: 'ready' });
  });

  it.each([
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
  ])('is InvalidInputError with every problem, and nothing is stored: case %#', async (input, problems) => {
    const before = await service.service.database.thread.count();
    expect(await create(input)).toMatchObject({ __typename: 'InvalidInputError', code: 'INVALID_INPUT', problems });
    expect(await service.service.database.thread.count()).toBe(before);
  });
});

describe('sendMessage', () => {
  const send = (input: object) =>
    mutate('sendMessage', {
      type: 'SendMessageInput',
      input,
      more: '... on PostedMessage { threadId messageId } ... on ThreadNotReadyError { state }',
    });

  it('is PostedMessage for a thread that is ready', async () => {
    const { threadId } = await ada.rest.readyThread({ text: 'Hi' });
    const posted = await send({ threadId, text: 'And now?' });
    expect(posted).toEqual({ __typename: 'PostedMessage', threadId, messageId: expect.stringMatching(/^msg_/) });
    await ada.rest.answer(posted as { threadId: string; messageId: string });
  });

  it('is InvalidInputError for a text that cannot be sent', async () => {
    const threadId = await addThread(service, ada);
    const problems = [{ field: 'text', message: 'must not be empty' }];
    expect(await send({ threadId, text: '' })).toMatchObject({ __typename: 'InvalidInputError', problems });
  });

  it.each(['thr_00000000000000000000000000', 'nonsense', '', 'thr_\u0000'])(
    'is NotFoundError for %j',
    async (threadId) => {
      expect(await send({ threadId, text: 'Hi' })).toMatchObject({ __typename: 'NotFoundError', code: 'NOT_FOUND' });
    },
  );

  it('is ThreadNotReadyError with the state of the thread', async () => {
    const active = await activeThread({ service, rest: ada.rest });
    const refusal = { __typename: 'ThreadNotReadyError', code: 'THREAD_NOT_READY', state: 'ACTIVE' };
    expect(await send({ threadId: active.threadId, text: 'Hi' })).toMatchObject(refusal);
    active.finish();
    await ada.rest.answer(active);
    const failed = await failedThread({ service, rest: ada.rest });
    expect(await send({ threadId: failed.threadId, text: 'Hi' })).toMatchObject({ ...refusal, state: 'ERROR' });
  });
});

describe('submitFeedback', () => {
  const rate = (input: object) =>
    mutate('submitFeedback', {
      type: 'SubmitFeedbackInput',
      input,
      more: '... on Feedback { messageId positive text }',
    });

  async function answered() {
    const sent = await ada.rest.readyThread({ text: 'Hi' });
    const [answer] = await ada.rest.answer(sent);
    return { threadId: sent.threadId, questionId: sent.messageId, messageId: answer?.id ?? '' };
  }

  it('is Feedback, and replaces the earlier one', async () => {
    const { threadId, messageId } = await answered();
    expect(await rate({ threadId, messageId, positive: false, text: 'Hm' })).toEqual({
      ...{ __typename: 'Feedback', messageId, positive: false, text: 'Hm' },
    });
    expect(await rate({ threadId, messageId, positive: true })).toEqual({
      ...{ __typename: 'Feedback', messageId, positive: true, text: null },
    });
    const stored = await service.service.database.feedback.findMany({ where: { messageId } });
    expect(stored).toMatchObject([{ userId: ada.id, positive: true, text: null }]);
  });

  it('is NotAnAnswerError for a message of a user', async () => {
    const { threadId, questionId } = await answered();
    const refusal = { __typename: 'NotAnAnswerError', code: 'NOT_AN_ANSWER' };
    expect(await rate({ threadId, messageId: questionId, positive: true })).toMatchObject(refusal);
  });

  it('is NotFoundError under another thread, and for malformed ids', async () => {
    const { threadId, messageId } = await answered();
    const other = await addThread(service, ada);
    const hidden = { __typename: 'NotFoundError', code: 'NOT_FOUND' };
    expect(await rate({ threadId: other, messageId, positive: true })).toMatchObject(hidden);
    expect(await rate({ threadId, messageId: 'msg_none', positive: true })).toMatchObject(hidden);
  });

  it('is InvalidInputError for a comment that is too long', async () => {
    const { threadId, messageId } = await answered();
    const problems = [{ field: 'text', message: 'must be at most 10000 characters long' }];
    const text = 'x'.repeat(10_001);
    expect(await rate({ threadId, messageId, positive: true, text })).toMatchObject({
      __typename: 'InvalidInputError',
      problems,
    });
  });
});
