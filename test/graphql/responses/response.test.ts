/**
 * The response to a message, also at the message that it answers; that it has the outcomes of REST is in `test/parity/outcomes.test.ts`.
 * Its cursor is the end of its stream, whatever the outcome, over both transports.
 */
import { describe, expect } from 'vitest';
import { stateOf } from '../../modules/viewing/response-facts.js';
import { numbered, storeMessages } from '../../rest/messages/stored-messages.js';
import { activeThread, failedThread } from '../../rest/threads/thread-stages.js';
import type { GraphQLClient } from '../../support/clients/graphql-client.js';
import type { Sent } from '../../support/clients/rest-client.js';
import { allowImpossiblePairs } from '../../support/database/impossible-pairs.js';
import { it } from '../../support/fixtures/service.js';
import { breakConnection, text, usage } from '../../support/model/model-script.js';
import type { Person, TestService } from '../../support/service.js';
import { addThread } from '../../support/threads.js';
import { ask } from '../attacks/ask-anything.js';

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

/** A queued response that no worker takes, because its thread does not say that it waits. */
async function queued(service: TestService, ada: Person): Promise<{ threadId: string; messageId: string }> {
  const threadId = await addThread(service, ada);
  const [messageId = ''] = await storeMessages(service, threadId, numbered(1));
  await allowImpossiblePairs(service.storage.url);
  await service.database.response.create({ data: { messageId, threadId, createdAt: new Date() } });
  return { threadId, messageId };
}

describe('response', () => {
  it('is ResponseProcessing with its state, of one that is queued or generated', async ({ service, ada, graphql }) => {
    const active = await activeThread({ service, rest: ada.rest });
    for (const [{ threadId, messageId }, state] of [
      [await queued(service, ada), 'WAITING'],
      [active, 'ACTIVE'],
    ] as const) {
      const { response } = await graphql.data(
        `query ($threadId: ID!, $messageId: ID!) { response(threadId: $threadId, messageId: $messageId) {
          __typename ... on ResponseProcessing { state } } }`,
        { threadId, messageId },
      );
      expect(response).toEqual({ __typename: 'ResponseProcessing', state });
    }
    active.finish();
  });
});

describe('Message.response', () => {
  it('is the response to a message of a user, and null for an answer', async ({ service, ada, graphql }) => {
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

const stop = 'mutation ($id: ID!) { stopResponse(messageId: $id) { __typename } }';

interface Actors {
  service: TestService;
  ada: Person;
}

async function stopped({ service, ada }: Actors): Promise<Sent> {
  const sent = await activeThread({ service, rest: ada.rest });
  await ada.graphql.data(stop, { id: sent.messageId });
  return sent;
}

const outcomes: [type: string, reach: (actors: Actors) => Promise<Sent>][] = [
  ['ResponseComplete', ({ ada }) => ada.rest.readyThread({ text: 'Hi' })],
  ['ResponseFailed', ({ service, ada }) => failedThread({ service, rest: ada.rest }, { text: 'Hi', said: 'Hel' })],
  ['ResponseInterrupted', stopped],
];

describe('the cursor of a response object', () => {
  it.for(outcomes)('%s is the end of its streams', async ([type, reach], { service, ada, graphql }) => {
    const sent = await reach({ service, ada });
    const { response } = await graphql.data(
      `query ($threadId: ID!, $messageId: ID!) { response(threadId: $threadId, messageId: $messageId) {
        __typename ... on ResponseComplete { cursor } ... on ResponseFailed { cursor } ... on ResponseInterrupted { cursor } } }`,
      { ...sent },
    );
    const { cursor } = response;
    expect(response).toEqual({ __typename: type, cursor: (await ada.rest.streamToEnd(sent)).at(-1)?.id });
    const path = `/threads/${sent.threadId}/messages/${sent.messageId}/response/stream`;
    expect((await ada.rest.fetch(path, { headers: { 'last-event-id': cursor } })).status).toBe(204);
    const events = await ask({
      ...{ url: `${service.url}/graphql`, token: ada.token, isLast: () => false },
      query:
        'subscription ($messageId: ID!, $after: String) { responseEvents(messageId: $messageId, after: $after) { __typename } }',
      variables: { messageId: sent.messageId, after: cursor },
    });
    expect(events).toEqual([]);
  });
});

const history = 'query Read($id: ID!) { thread(id: $id) { history { what attempt messageId cause } } }';

describe('Thread.history', () => {
  it('names each change of a response, in order, also of a second attempt', async ({ service, ada, graphql }) => {
    service.model.enqueue([text('Hel'), breakConnection()], [text('Hello')]);
    const sent = await ada.rest.createThread({ text: 'Hi' });
    await expect.poll(() => stateOf(ada.rest, sent)).toBe('ready');
    const { thread } = await graphql.data(history, { id: sent.threadId });
    expect(thread.history?.map(({ what }) => what)).toEqual(['QUEUED', 'STARTED', 'RESTARTED', 'SUCCEEDED']);
    expect(thread.history?.map(({ messageId }) => messageId)).toEqual(Array(4).fill(sent.messageId));
  });

  it('names a failure with its cause, and an interruption with what followed it', async ({ service, ada, graphql }) => {
    service.model.enqueue([{ do: 'finish', reason: 'content_filter' }]);
    const failed = await ada.rest.createThread({ text: 'Hi' });
    await ada.rest.streamToEnd(failed);
    const of = async (id: string) => (await graphql.data(history, { id })).thread.history?.slice(2);
    expect(await of(failed.threadId)).toMatchObject([{ what: 'FAILED', cause: expect.stringMatching(/./) }]);

    const stopped = await activeThread({ service, rest: ada.rest });
    await graphql.data(stop, { id: stopped.messageId });
    stopped.finish();
    await ada.rest.streamToEnd(stopped);
    const resume = 'mutation Resume($id: ID!) { resumeThread(id: $id) { __typename } }';
    await graphql.data(resume, { id: stopped.threadId });
    expect((await of(stopped.threadId))?.map(({ what }) => what)).toEqual(['INTERRUPTED', 'RESUMED']);
  });
});
