/** What a response took: for the message that was answered and for its answer, once it has ended. */
import { describe, expect } from 'vitest';
import { activeThread } from '../../rest/threads/thread-stages.js';
import { serviceTest } from '../../support/fixtures/service.js';
import { gate, text, usage, wait } from '../../support/model/model-script.js';

const it = serviceTest({ environment: { AI_PRICES: '{"compatible:scripted": {"input": 2, "output": 10}}' } });

const query = `query ($id: ID!) { thread(id: $id) { messages { edges { node {
  role generation { model inputTokens outputTokens cost seconds firstTokenSeconds } } } } } }`;

describe('Message.generation', () => {
  it('has model, tokens, cost and time of a response, at question and answer', async ({ service, ada, graphql }) => {
    const held = gate();
    service.model.enqueue([wait(held.passed), text('He'), text('llo'), usage(7, 2)]);
    const sent = await ada.rest.createThread({ text: 'Hi' });
    await expect.poll(() => service.model.requests.length).toBeGreaterThan(0);
    // As if the model had been silent for an hour.
    await service.sql("UPDATE response SET started_at = started_at - interval '1 hour'");
    held.open();
    await ada.rest.answer(sent);
    const { thread } = await graphql.data(query, { id: sent.threadId });
    const [asked, answer] = thread.messages.edges.map(({ node }) => node);
    expect(asked).toMatchObject({ role: 'USER', generation: answer?.generation });
    expect(answer?.generation).toEqual({
      ...{ model: 'compatible:scripted', inputTokens: 7, outputTokens: 2, cost: 0.000034 },
      ...{ seconds: expect.any(Number), firstTokenSeconds: expect.any(Number) },
    });
    const { seconds, firstTokenSeconds } = answer?.generation ?? {};
    expect(firstTokenSeconds).toBeLessThanOrEqual(Number(seconds));
    expect(firstTokenSeconds).toBeGreaterThanOrEqual(3600);
  });

  it('is null until the response has ended', async ({ service, ada, graphql }) => {
    const { threadId } = await activeThread({ service, rest: ada.rest });
    const { thread } = await graphql.data(query, { id: threadId });
    expect(thread.messages.edges.map(({ node }) => node.generation)).toEqual([null]);
  });

  it('has no tokens and no cost of a response that was stopped', async ({ service, ada, graphql }) => {
    const { threadId, messageId } = await activeThread({ service, rest: ada.rest });
    const stop = 'mutation ($id: ID!) { stopResponse(messageId: $id) { __typename } }';
    await graphql.data(stop, { id: messageId });
    const { thread } = await graphql.data(query, { id: threadId });
    expect(thread.messages.edges[0]?.node.generation).toMatchObject({
      ...{ model: 'compatible:scripted', inputTokens: null, outputTokens: null, cost: null },
    });
  });
});
