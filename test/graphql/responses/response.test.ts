/** The response to a message in each of its four forms. */
import { describe, expect } from 'vitest';
import { numbered, storeMessages } from '../../rest/messages/stored-messages.js';
import { activeThread, failedThread } from '../../rest/threads/thread-stages.js';
import { allowImpossiblePairs } from '../../support/database/impossible-pairs.js';
import { it } from '../../support/fixtures/service.js';
import type { Person, TestService } from '../../support/service.js';
import { addThread } from '../../support/threads.js';

describe('response', () => {
  const query = `query ($threadId: ID!, $messageId: ID!) { response(threadId: $threadId, messageId: $messageId) {
    __typename
    ... on ResponseProcessing { state }
    ... on ResponseComplete { cursor messages { id role contents { ... on TextBlock { text } } } }
    ... on ResponseFailed { code message }
    ... on ResponseInterrupted { message }
  } }`;

  it('is ResponseProcessing while it is generated, then ResponseComplete with its messages', async ({
    service,
    ada,
    graphql,
  }) => {
    const active = await activeThread({ service, rest: ada.rest });
    const which = { threadId: active.threadId, messageId: active.messageId };
    expect(await graphql.data(query, which)).toEqual({
      response: { __typename: 'ResponseProcessing', state: 'ACTIVE' },
    });
    active.finish();
    const [answer] = await ada.rest.answer(active);
    expect(await graphql.data(query, which)).toEqual({
      response: {
        __typename: 'ResponseComplete',
        cursor: '1-end',
        messages: [{ id: answer?.id, role: 'ASSISTANT', contents: [{ text: 'Hello' }] }],
      },
    });
  });

  it('is ResponseFailed with the cause after a failure', async ({ service, ada, graphql }) => {
    const { threadId, messageId } = await failedThread({ service, rest: ada.rest });
    expect(await graphql.data(query, { threadId, messageId })).toEqual({
      response: { __typename: 'ResponseFailed', code: expect.stringMatching(/^[a-z_]+$/), message: expect.any(String) },
    });
  });

  it('is ResponseProcessing while it is queued, and ResponseInterrupted after a stop', async ({
    service,
    ada,
    graphql,
  }) => {
    const { threadId, messageId } = await queued(service, ada);
    expect(await graphql.data(query, { threadId, messageId })).toEqual({
      response: { __typename: 'ResponseProcessing', state: 'WAITING' },
    });
    await service.service.database.$executeRaw`
      UPDATE response SET status = 'interrupted', finished_at = clock_timestamp(), error_message = 'Ada stopped it.' WHERE message_id = ${messageId}`;
    expect(await graphql.data(query, { threadId, messageId })).toEqual({
      response: { __typename: 'ResponseInterrupted', message: 'Ada stopped it.' },
    });
  });

  it('is not found for a message of the assistant', async ({ ada, graphql }) => {
    const sent = await ada.rest.readyThread({ text: 'Hi' });
    const [answer] = await ada.rest.answer(sent);
    const failure = await graphql.failure({ query, variables: { threadId: sent.threadId, messageId: answer?.id } });
    expect(failure.extensions?.['code']).toBe('NOT_FOUND');
  });
});

/** A queued response that no worker takes, because its thread does not say that it waits. */
async function queued(service: TestService, ada: Person): Promise<{ threadId: string; messageId: string }> {
  const threadId = await addThread(service, ada);
  const [messageId = ''] = await storeMessages(service, threadId, numbered(1));
  await allowImpossiblePairs(service.storage.url);
  await service.service.database.response.create({ data: { messageId, threadId, createdAt: new Date() } });
  return { threadId, messageId };
}
