/** What is told of a message beside its contents: its author, the viewer's own rating, what the model thought, and what that took. */
import { describe, expect } from 'vitest';
import { maximumReasoning } from '../../../src/contract.js';
import { deleteUser } from '../../../src/modules/deletion/delete-user.js';
import { type AnsweredMessage, answeredMessage, feedbackPath } from '../../rest/messages/answered-message.js';
import { activeThread } from '../../rest/threads/thread-stages.js';
import { serviceTest } from '../../support/fixtures/service.js';
import { gate, reasoning, text, usage, wait } from '../../support/model/model-script.js';
import type { Person, TestService } from '../../support/service.js';
import { colleagueOf, newcomer } from '../../support/threads.js';

const it = serviceTest({ environment: { AI_PRICES: '{"compatible:scripted": {"input": 2, "output": 10}}' } })
  .extend('bob', { scope: 'file' }, ({ service }) => service.person({ org: 'acme', role: 'admin' }))
  .extend('rated', ({ ada }) => answeredMessage(ada));

const authors = `query ($id: ID!) { thread(id: $id) { messages(includeInactive: true) { edges { node {
  role author { __typename id name } } } } } }`;

/** The role and the author of each message, as `person` sees them. */
async function authorsIn({ graphql }: Person, id: string): Promise<unknown[]> {
  const { thread } = await graphql.data(authors, { id });
  return thread.messages.edges.map(({ node }: { node: { role: string; author: unknown } }) => [node.role, node.author]);
}

const authorOf = ({ id }: Person, name: string | null) => ({ __typename: 'MessageAuthor', id, name });

/** A thread of Ada in which Bob asks the second question. */
async function sharedThread(service: TestService, names: { ada: string; bob: string | null }) {
  const ada = await newcomer(service, { name: names.ada });
  const bob = await colleagueOf(service, ada, { name: names.bob });
  const { threadId } = await ada.rest.readyThread({ text: 'The first question' });
  await bob.rest.answer(await bob.rest.send(threadId, 'The second question'));
  return { ada, bob, threadId };
}

describe('Message.author', () => {
  it('is who sent the message, for the owner and for colleagues; an answer has none', async ({ service }) => {
    const { ada, bob, threadId } = await sharedThread(service, { ada: 'Ada', bob: 'Bob' });
    for (const reader of [ada, bob]) {
      expect(await authorsIn(reader, threadId)).toEqual([
        ['USER', authorOf(ada, 'Ada')],
        ['ASSISTANT', null],
        ['USER', authorOf(bob, 'Bob')],
        ['ASSISTANT', null],
      ]);
    }
  });

  it('is who continued a thread, and not whose words the summary repeats', async ({ service }) => {
    const { ada, bob, threadId } = await sharedThread(service, { ada: 'Ada', bob: 'Bob' });
    const continued = `mutation ($threadId: ID!) { continueThread(input: {threadId: $threadId, text: "On"}) {
      ... on PostedMessage { threadId messageId userMessage { author { id } } } } }`;
    const { continueThread } = await bob.graphql.data(continued, { threadId });
    expect(continueThread.userMessage).toEqual({ author: { id: bob.id } });
    await ada.rest.answer({ threadId: continueThread.threadId, messageId: continueThread.messageId });
    expect((await authorsIn(ada, continueThread.threadId)).slice(0, 2)).toEqual([
      ['SUMMARY', null],
      ['USER', authorOf(bob, 'Bob')],
    ]);
  });

  it('is named although the person has left, and null once they are deleted; their words stay', async ({ service }) => {
    const { ada, bob, threadId } = await sharedThread(service, { ada: 'Ada', bob: null });
    const { database } = service;
    await database.user.update({ where: { id: bob.id }, data: { removedAt: new Date() } });
    expect((await authorsIn(ada, threadId))[2]).toEqual(['USER', authorOf(bob, null)]);
    await deleteUser(database, bob.id);
    expect((await authorsIn(ada, threadId))[2]).toEqual(['USER', null]);
    const { body } = await ada.rest.get<{ data: { contents: { text: string }[] }[] }>(`/threads/${threadId}/messages`);
    expect(body.data[2]?.contents[0]?.text).toBe('The second question');
  });

  it('is null for a message of a release that does not record it', async ({ service }) => {
    const { ada, threadId } = await sharedThread(service, { ada: 'Ada', bob: 'Bob' });
    await service.database.message.updateMany({ where: { threadId }, data: { authorId: null } });
    expect((await authorsIn(ada, threadId))[0]).toEqual(['USER', null]);
  });
});

function rate({ threadId, answerId }: AnsweredMessage, { rest }: Person, body: object): Promise<unknown> {
  return rest.post(feedbackPath(threadId, answerId), body);
}

/** The feedback that somebody sees at the answer, by each way to it. */
async function seenBy({ ...ids }: AnsweredMessage, { graphql }: Person): Promise<unknown[]> {
  const { message, thread, response } = await graphql.data(
    `query ($threadId: ID!, $answerId: ID!, $questionId: ID!) {
      message(threadId: $threadId, id: $answerId) { myFeedback { ...F } }
      thread(id: $threadId) { messages { edges { node { id myFeedback { ...F } } } } }
      response(threadId: $threadId, messageId: $questionId) { ... on ResponseComplete { messages { myFeedback { ...F } } } }
    } fragment F on Feedback { messageId positive text }`,
    ids,
  );
  const edge = thread.messages.edges.find(({ node }) => node.id === ids.answerId);
  return [message.myFeedback, edge?.node.myFeedback, response.messages[0]?.myFeedback];
}

describe('Message.myFeedback', () => {
  it('is null before the rating, and for a message that cannot be rated', async ({ ada, rated }) => {
    expect(await seenBy(rated, ada)).toEqual([null, null, null]);
    const query =
      'query ($threadId: ID!, $messageId: ID!) { message(threadId: $threadId, id: $messageId) { myFeedback { positive } } }';
    const { threadId, questionId: messageId } = rated;
    expect(await ada.graphql.data(query, { threadId, messageId })).toEqual({ message: { myFeedback: null } });
  });

  it('is the last rating of the viewer', async ({ ada, rated }) => {
    await rate(rated, ada, { positive: true, feedback_text: 'Good' });
    const good = { messageId: rated.answerId, positive: true, text: 'Good' };
    expect(await seenBy(rated, ada)).toEqual([good, good, good]);
    await rate(rated, ada, { positive: false });
    const bad = { messageId: rated.answerId, positive: false, text: null };
    expect(await seenBy(rated, ada)).toEqual([bad, bad, bad]);
  });

  it('is gone when the viewer withdraws it, and that of another stays', async ({ ada, bob, rated }) => {
    await rate(rated, ada, { positive: true, feedback_text: 'Good' });
    await rate(rated, bob, { positive: false });
    const withdraw = `mutation ($threadId: ID!, $messageId: ID!) {
      withdrawFeedback(input: { threadId: $threadId, messageId: $messageId }) { __typename ... on Error { code } } }`;
    const input = { threadId: rated.threadId, messageId: rated.answerId };
    for (let time = 0; time < 2; time += 1) {
      expect(await ada.graphql.data(withdraw, input)).toEqual({
        withdrawFeedback: { __typename: 'WithdrawnFeedback' },
      });
    }
    expect(await seenBy(rated, ada)).toEqual([null, null, null]);
    expect((await seenBy(rated, bob))[0]).toMatchObject({ positive: false });
  });
});

const thoughts = `query ($id: ID!) { thread(id: $id) { messages(first: 10) {
  edges { node { role hasReasoning reasoning } } } } }`;

async function thoughtsOf({ graphql }: Person, id: string) {
  const { thread } = await graphql.data(thoughts, { id });
  return thread.messages.edges.map(({ node }) => [node.role, node.hasReasoning, node.reasoning]);
}

describe('Message.reasoning', () => {
  it('has what the model thought before its answer, which neither REST nor the model is given', async ({ service }) => {
    const ada = await newcomer(service);
    service.model.enqueue([reasoning('Tea has '), reasoning('three letters.'), text('Three.')], [text('Yes.')]);
    const sent = await ada.rest.createThread({ text: 'How many letters has tea?' });
    const messages = await ada.rest.answer(sent);
    expect(await thoughtsOf(ada, sent.threadId)).toEqual([
      ['USER', false, null],
      ['ASSISTANT', true, 'Tea has three letters.'],
    ]);
    expect(JSON.stringify(messages)).not.toContain('three letters');
    await ada.rest.answer(await ada.rest.send(sent.threadId, 'Sure?'));
    expect(JSON.stringify(service.model.lastRequest)).not.toContain('three letters');
  });

  it('is cut at its maximum, never within a character, while the answer stays whole', async ({ service }) => {
    const ada = await newcomer(service);
    service.model.enqueue([reasoning('x'.repeat(maximumReasoning - 1)), reasoning('😀 and more'), text('Done.')]);
    const sent = await ada.rest.createThread({ text: 'Think long' });
    await ada.rest.answer(sent);
    const [, answer] = await thoughtsOf(ada, sent.threadId);
    expect(String(answer?.[2])).toHaveLength(maximumReasoning);
    expect(String(answer?.[2]).isWellFormed()).toBe(true);
  });

  it('goes with its thread', async ({ service, database }) => {
    const ada = await newcomer(service);
    service.model.enqueue([reasoning('Hm.'), text('Fine.')]);
    const sent = await ada.rest.createThread({ text: 'Think' });
    await ada.rest.answer(sent);
    const where = { message: { threadId: sent.threadId } };
    expect(await database.messageReasoning.count({ where })).toBe(1);
    await ada.graphql.data('mutation ($id: ID!) { deleteThread(id: $id) { __typename } }', { id: sent.threadId });
    expect(await database.messageReasoning.count({ where })).toBe(0);
  });
});

const query = `query ($id: ID!) { thread(id: $id) { messages { edges { node {
  role generation { model inputTokens outputTokens cost seconds firstTokenSeconds } } } } } }`;

describe('Message.generation', () => {
  it('has model, tokens, cost and time of a response, at question and answer', async ({ service, ada, graphql }) => {
    const held = gate();
    const before = service.model.requests.length;
    service.model.enqueue([wait(held.passed), text('He'), text('llo'), usage(7, 2)]);
    const sent = await ada.rest.createThread({ text: 'Hi' });
    await expect.poll(() => service.model.requests.length).toBeGreaterThan(before);
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
