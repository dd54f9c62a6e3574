/** The response at the message that it answers, and the message that an answer points back to. */
import { describe, expect } from 'vitest';
import { activeThread, failedThread } from '../../rest/threads/thread-stages.js';
import type { GraphQLClient } from '../../support/clients/graphql-client.js';
import { it } from '../../support/fixtures/service.js';
import { text, usage } from '../../support/model/model-script.js';

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

async function turnsOf(graphql: GraphQLClient, threadId: string): Promise<Turn[]> {
  const { thread } = await graphql.data(query, { threadId });
  return thread.messages.edges.map(({ node }) => node);
}

describe('Message.response', () => {
  it('equals Query.response for a message of a user, and is null for an answer', async ({ service, ada, graphql }) => {
    const active = await activeThread({ service, rest: ada.rest });
    expect(await turnsOf(graphql, active.threadId)).toEqual([
      {
        id: active.messageId,
        role: 'USER',
        replyToId: null,
        response: { __typename: 'ResponseProcessing', state: 'ACTIVE' },
      },
    ]);
    active.finish();
    const [answer] = await ada.rest.answer(active);
    const [question, reply] = await turnsOf(graphql, active.threadId);
    expect(question?.response).toMatchObject({
      __typename: 'ResponseComplete',
      cursor: '1-end',
      messages: [{ id: answer?.id, contents: [{ text: 'Hello' }] }],
    });
    expect(reply).toEqual({ id: answer?.id, role: 'ASSISTANT', replyToId: active.messageId, response: null });
  });

  it('reports the model and its token counts', async ({ service, ada, graphql }) => {
    service.model.enqueue([text('Hi'), usage(40, 3)]);
    const { threadId } = await ada.rest.readyThread({ text: 'Hi' });
    const [question] = await turnsOf(graphql, threadId);
    expect(question?.response).toMatchObject({ model: 'compatible:scripted', inputTokens: 40, outputTokens: 3 });
  });

  it('is the failure if the response failed', async ({ service, ada, graphql }) => {
    const { threadId } = await failedThread({ service, rest: ada.rest });
    expect((await turnsOf(graphql, threadId))[0]?.response).toEqual({
      __typename: 'ResponseFailed',
      code: 'model_rejected_request',
    });
  });
});
