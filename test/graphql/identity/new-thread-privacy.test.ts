/** What a person wants new threads to be: kept for front ends, and never applied to a request that does not ask for it. */
import { describe, expect } from 'vitest';
import { newcomersTest } from '../../support/fixtures/service.js';

const it = newcomersTest();

const set = `mutation ($isPrivate: Boolean!) { outcome: setNewThreadPrivacy(input: {isPrivate: $isPrivate}) {
  __typename ... on NewThreadPrivacy { isPrivate } } }`;
const read = '{ me { newThreadsArePrivate organizationName } }';

describe('setNewThreadPrivacy', () => {
  it('keeps the wish of one person alone, until they change it', async ({ service, ada, bob }) => {
    const [hers, his] = [ada, bob].map(({ token }) => service.graphql(token));
    const organization = await service.database.organization.findFirstOrThrow({
      where: { users: { some: { id: ada.id } } },
    });
    const shared = { newThreadsArePrivate: false, organizationName: organization.name };
    expect((await hers?.data(read))?.me).toEqual(shared);
    expect((await hers?.data(set, { isPrivate: true }))?.outcome).toEqual({
      ...{ __typename: 'NewThreadPrivacy', isPrivate: true },
    });
    expect((await hers?.data(read))?.me).toEqual({ ...shared, newThreadsArePrivate: true });
    expect((await his?.data(read))?.me).toEqual(shared);
    await hers?.data(set, { isPrivate: false });
    expect((await hers?.data(read))?.me).toEqual(shared);
  });

  it('changes no request that says nothing of privacy, over GraphQL and REST', async ({ service, ada }) => {
    await ada.graphql.data(set, { isPrivate: true });
    const create = 'mutation { made: createThread(input: {text: "Hi"}) { ... on PostedMessage { threadId } } }';
    const { made } = await ada.graphql.data(create);
    const { threadId } = await ada.rest.createThread({ text: 'Hi' });
    const where = { id: { in: [made.threadId, threadId] } };
    const threads = await service.database.thread.findMany({ where, select: { isPrivate: true } });
    expect(threads).toEqual([{ isPrivate: false }, { isPrivate: false }]);
  });
});
