/** Who sent a message, for everyone who may read it, as long as the person exists. */
import { describe, expect } from 'vitest';
import { deleteUser } from '../../../src/modules/deletion/delete-user.js';
import { it } from '../../support/fixtures/service.js';
import type { Person, TestService } from '../../support/service.js';
import { colleagueOf, newcomer } from '../../support/threads.js';

const query = `query ($id: ID!) { thread(id: $id) { messages(includeInactive: true) { edges { node {
  role author { __typename id name } } } } } }`;

/** The role and the author of each message, as `person` sees them. */
async function authorsIn({ graphql }: Person, id: string): Promise<unknown[]> {
  const { thread } = await graphql.data(query, { id });
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
