/** One's own rating at a message: nobody sees that of another. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { GraphQLClient } from '../../support/clients/graphql-client.js';
import type { Sent } from '../../support/clients/rest-client.js';
import { type Person, startTestService, type TestService } from '../../support/service.js';

interface Rated {
  threadId: string;
  answerId: string;
}

let service: TestService;
let ada: Person;
let bob: Person;
beforeAll(async () => {
  service = await startTestService();
  ada = await service.person({ org: 'acme' });
  bob = await service.person({ org: 'acme', role: 'admin' });
});
afterAll(() => service.stop());

let sent: Sent;
let rated: Rated;
beforeEach(async () => {
  sent = await ada.rest.readyThread({ text: 'Hi' });
  const [answer] = await ada.rest.answer(sent);
  rated = { threadId: sent.threadId, answerId: answer?.id ?? '' };
});

function rate({ rest }: Person, body: { positive: boolean; feedback_text?: string }): Promise<unknown> {
  return rest.post(`/threads/${rated.threadId}/messages/${rated.answerId}/feedback`, body);
}

/** The feedback that somebody sees at the answer, by each way to it. */
async function seenBy({ token }: Person): Promise<unknown[]> {
  const graphql = new GraphQLClient({ origin: service.url, token });
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
  it('is null before the rating, and for a message that cannot be rated', async () => {
    expect(await seenBy(ada)).toEqual([null, null, null]);
    const graphql = new GraphQLClient({ origin: service.url, token: ada.token });
    const query =
      'query ($threadId: ID!, $messageId: ID!) { message(threadId: $threadId, id: $messageId) { myFeedback { positive } } }';
    expect(await graphql.data(query, { ...sent })).toEqual({ message: { myFeedback: null } });
  });

  it('is the last rating of the viewer', async () => {
    await rate(ada, { positive: true, feedback_text: 'Good' });
    const good = { messageId: rated.answerId, positive: true, text: 'Good' };
    expect(await seenBy(ada)).toEqual([good, good, good]);
    await rate(ada, { positive: false });
    const bad = { messageId: rated.answerId, positive: false, text: null };
    expect(await seenBy(ada)).toEqual([bad, bad, bad]);
  });

  it('is never that of another, not even for an administrator or the owner of the thread', async () => {
    await rate(ada, { positive: true, feedback_text: 'Between us' });
    expect(await seenBy(bob)).toEqual([null, null, null]);
    await rate(bob, { positive: false });
    expect((await seenBy(bob))[0]).toMatchObject({ positive: false, text: null });
    expect((await seenBy(ada))[0]).toMatchObject({ positive: true, text: 'Between us' });
  });
});
