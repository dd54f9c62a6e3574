/** One's own rating at a message: nobody sees that of another. */
import { describe, expect } from 'vitest';
import type { Sent } from '../../support/clients/rest-client.js';
import { serviceTest } from '../../support/fixtures/service.js';
import type { Person } from '../../support/service.js';

interface Rated {
  threadId: string;
  answerId: string;
}

const it = serviceTest()
  .extend('bob', { scope: 'file' }, ({ service }) => service.person({ org: 'acme', role: 'admin' }))
  .extend('sent', { auto: true }, ({ ada }) => ada.rest.readyThread({ text: 'Hi' }))
  .extend('rated', { auto: true }, async ({ ada, sent }) => {
    const [answer] = await ada.rest.answer(sent);
    return { threadId: sent.threadId, answerId: answer?.id ?? '' };
  });

function rate(rated: Rated, { rest }: Person, body: { positive: boolean; feedback_text?: string }): Promise<unknown> {
  return rest.post(`/threads/${rated.threadId}/messages/${rated.answerId}/feedback`, body);
}

/** The feedback that somebody sees at the answer, by each way to it. */
async function seenBy({ sent, rated }: { sent: Sent; rated: Rated }, { graphql }: Person): Promise<unknown[]> {
  const { message, thread, response } = await graphql.data(
    `query ($threadId: ID!, $answerId: ID!, $messageId: ID!) {
      message(threadId: $threadId, id: $answerId) { myFeedback { ...F } }
      thread(id: $threadId) { messages { edges { node { id myFeedback { ...F } } } } }
      response(threadId: $threadId, messageId: $messageId) { ... on ResponseComplete { messages { myFeedback { ...F } } } }
    } fragment F on Feedback { messageId positive text }`,
    { ...rated, messageId: sent.messageId },
  );
  const edge = thread.messages.edges.find(({ node }) => node.id === rated.answerId);
  return [message.myFeedback, edge?.node.myFeedback, response.messages[0]?.myFeedback];
}

describe('Message.myFeedback', () => {
  it('is null before the rating, and for a message that cannot be rated', async ({ ada, sent, rated }) => {
    expect(await seenBy({ sent, rated }, ada)).toEqual([null, null, null]);
    const query =
      'query ($threadId: ID!, $messageId: ID!) { message(threadId: $threadId, id: $messageId) { myFeedback { positive } } }';
    expect(await ada.graphql.data(query, { ...sent })).toEqual({ message: { myFeedback: null } });
  });

  it('is the last rating of the viewer', async ({ ada, sent, rated }) => {
    await rate(rated, ada, { positive: true, feedback_text: 'Good' });
    const good = { messageId: rated.answerId, positive: true, text: 'Good' };
    expect(await seenBy({ sent, rated }, ada)).toEqual([good, good, good]);
    await rate(rated, ada, { positive: false });
    const bad = { messageId: rated.answerId, positive: false, text: null };
    expect(await seenBy({ sent, rated }, ada)).toEqual([bad, bad, bad]);
  });

  it('is gone when the viewer withdraws it, and that of another stays', async ({ ada, bob, sent, rated }) => {
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
    expect(await seenBy({ sent, rated }, ada)).toEqual([null, null, null]);
    expect((await seenBy({ sent, rated }, bob))[0]).toMatchObject({ positive: false });
  });
});
