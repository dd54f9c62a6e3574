/** The response at the message that it answers, and the message that an answer points back to. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { activeThread, failedThread } from '../../rest/threads/thread-stages.js';
import { GraphQLClient } from '../../support/clients/graphql-client.js';
import { text, usage } from '../../support/model/model-script.js';
import { type Person, startTestService, type TestService } from '../../support/service.js';

let service: TestService;
let ada: Person;
let graphql: GraphQLClient;
beforeAll(async () => {
  service = await startTestService();
  ada = await service.person();
  graphql = new GraphQLClient({ origin: service.url, token: ada.token });
});
afterAll(() => service.stop());

const query = `query ($threadId: ID!) { thread(id: $threadId) { messages { edges { node {
  id role replyToId
  response {
    __typename
    ... on ResponseProcessing { state }
    ... on ResponseComplete { cursor model inputTokens outputTokens messages { id contents { ... on TextBlock { text } } } }
    ... on ResponseFailed { code }
  }
} } } } }`;

interface Turn {
  id: string;
  role: string;
  replyToId: string | null;
  response: Record<string, unknown> | null;
}

async function turnsOf(threadId: string): Promise<Turn[]> {
  const { thread } = await graphql.data(query, { threadId });
  return thread.messages.edges.map(({ node }) => node);
}

describe('Message.response', () => {
  it('equals Query.response for a message of a user, and is null for an answer', async () => {
    const active = await activeThread({ service, rest: ada.rest });
    expect(await turnsOf(active.threadId)).toEqual([
      {
        id: active.messageId,
        role: 'USER',
        replyToId: null,
        response: { __typename: 'ResponseProcessing', state: 'ACTIVE' },
      },
    ]);
    active.finish();
    const [answer] = await ada.rest.answer(active);
    const [question, reply] = await turnsOf(active.threadId);
    expect(question?.response).toMatchObject({
      __typename: 'ResponseComplete',
      cursor: '1-end',
      messages: [{ id: answer?.id, contents: [{ text: 'Hello' }] }],
    });
    expect(reply).toEqual({ id: answer?.id, role: 'ASSISTANT', replyToId: active.messageId, response: null });
  });

  it('reports the model and its token counts', async () => {
    service.model.enqueue([text('Hi'), usage(40, 3)]);
    const { threadId } = await ada.rest.readyThread({ text: 'Hi' });
    const [question] = await turnsOf(threadId);
    expect(question?.response).toMatchObject({ model: 'compatible:scripted', inputTokens: 40, outputTokens: 3 });
  });

  it('is the failure if the response failed', async () => {
    const { threadId } = await failedThread({ service, rest: ada.rest });
    expect((await turnsOf(threadId))[0]?.response).toEqual({
      __typename: 'ResponseFailed',
      code: 'model_rejected_request',
    });
  });
});
