/** What the mutations that post give beside the ids: the new objects, for the caches of clients, and only where they are asked for. */
import { describe, expect } from 'vitest';
import type { Data } from '../../support/clients/graphql-client.js';
import { addThread } from '../../support/threads.js';
import { quietTest as it } from '../limits/statement-log.js';

const send = <const Inside extends string>(inside: Inside) =>
  `mutation ($id: ID!, $key: String) {
  sendMessage(input: {threadId: $id, text: "Hi", idempotencyKey: $key}) { ... on PostedMessage { ${inside} } } }` as const;
const objects = `threadId messageId replayed
  thread { id state owner { id } messages(last: 1) { edges { node { id } } } }
  userMessage { id threadId role contents { ... on TextBlock { text } } response { __typename } }`;

type Posted = Data<ReturnType<typeof send<typeof objects>>>['sendMessage'];

describe('PostedMessage › thread and userMessage', () => {
  it('are in their current state, even in the answer to a repeated request', async ({ service, ada }) => {
    const id = await addThread(service, ada);
    const ask = () => ada.graphql.data(send(objects), { id, key: 'again' });
    const { sendMessage: posted } = await ask();
    const messageId = posted.messageId;
    const expected = {
      ...{ threadId: id, messageId },
      thread: { id, state: 'WAITING', owner: { id: ada.id }, messages: { edges: [{ node: { id: messageId } }] } },
      userMessage: {
        ...{ id: messageId, threadId: id, role: 'USER', contents: [{ text: 'Hi' }] },
        response: { __typename: 'ResponseProcessing' },
      },
    };
    expect(posted).toEqual({ ...expected, replayed: false });
    const again = await ask();
    expect(again.sendMessage).toEqual({ ...expected, replayed: true });
  });

  it.for([
    ['createThread', 'createThread(input: {text: "Hi", name: "Tea"})', { name: 'Tea' }],
    ['continueThread', 'continueThread(input: {threadId: $id, text: "Hi", name: "Tea"})', { name: 'Tea' }],
  ] as const)('are new ones of %s', async ([field, mutation, thread], { service, ada }) => {
    const id = await addThread(service, ada);
    const query = `mutation ${mutation.includes('$id') ? '($id: ID!)' : ''} { ${mutation} { ... on PostedMessage {
      threadId messageId thread { id name } userMessage { id } } ... on Error { message } } }`;
    const posted = (await ada.graphql.data(query, { id }))[field] as Posted;
    expect(posted.threadId).not.toBe(id);
    expect(posted).toMatchObject({ thread: { id: posted.threadId, ...thread }, userMessage: { id: posted.messageId } });
  });

  it('are NOT_FOUND if the owner has since hidden the thread, unlike the ids', async ({ service, ada, bob }) => {
    const id = await addThread(service, bob);
    const variables = { id, key: 'private' };
    await ada.graphql.data(send(objects), variables);
    await service.database.thread.update({ where: { id }, data: { isPrivate: true } });
    for (const inside of ['thread { id name }', 'userMessage { id }']) {
      const { body } = await ada.graphql.run({ query: send(inside), variables });
      expect([body.data ?? null, body.errors?.map(({ extensions }) => extensions?.['code'])]).toEqual([
        null,
        ['NOT_FOUND'],
      ]);
    }
    expect(await ada.graphql.data(send('threadId replayed'), variables)).toEqual({
      sendMessage: { threadId: id, replayed: true },
    });
  });

  // The message; one more for each object, and one for the contents of messages, which are read by their bytes.
  it.for([
    ['neither', 'threadId messageId replayed', 1],
    ['the thread', 'thread { id name }', 2],
    ['the message', 'userMessage { id role }', 2],
    ['both, with what is in them', objects, 4],
  ] as const)(
    'cost a statement each where they are asked for: %s',
    async ([_what, inside, count], { service, ada, costs }) => {
      const id = await addThread(service, ada);
      await costs(count, () => ada.graphql.data(send(inside), { id }));
      const variables = { id: await addThread(service, ada), key: 'again' };
      await ada.graphql.data(send('threadId'), variables);
      // The key is looked up in the place of posting.
      await costs(count, () => ada.graphql.data(send(inside), variables));
    },
  );
});
