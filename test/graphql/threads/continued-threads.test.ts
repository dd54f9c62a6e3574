/** The two links between a thread and the one that goes on from it: each end is hidden like any thread. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { GraphQLClient } from '../../support/clients/graphql-client.js';
import { type Person, startTestService, type TestService } from '../../support/service.js';
import { addThread, addThreads, colleagueOf, newcomer } from '../../support/threads.js';

let service: TestService;
beforeAll(async () => {
  // Nothing answers, so that what is tested does not depend on the state of a response.
  service = await startTestService({ settings: { concurrency: 0 } });
});
afterAll(() => service.stop());

let ada: Person;
let colleague: Person;
beforeEach(async () => {
  ada = await newcomer(service);
  colleague = await colleagueOf(service, ada);
});

const clientOf = ({ token }: Person) => new GraphQLClient({ origin: service.url, token });

/** The id of the new thread. */
async function goOn(person: Person, threadId: string, isPrivate = false): Promise<string> {
  const query = `mutation ($input: ContinueThreadInput!) { continueThread(input: $input) { ... on PostedMessage { threadId } } }`;
  const variables = { input: { threadId, isPrivate, text: 'Hi' } };
  const { continueThread } = await clientOf(person).data(query, variables);
  return continueThread.threadId;
}

async function linksOf(person: Person, id: string) {
  const query = 'query ($id: ID!) { thread(id: $id) { continuedFrom { id } continuedIn { id } } }';
  return (await clientOf(person).data(query, { id })).thread;
}

const setPrivate = (id: string, isPrivate: boolean) =>
  service.service.database.thread.update({ where: { id }, data: { isPrivate } });

describe('continuedFrom and continuedIn', () => {
  it('name the other thread, or are null if there is none', async () => {
    const old = await addThread(service, ada);
    expect(await linksOf(ada, old)).toEqual({ continuedFrom: null, continuedIn: null });
    const next = await goOn(ada, old);
    expect(await linksOf(ada, old)).toEqual({ continuedFrom: null, continuedIn: { id: next } });
    expect(await linksOf(ada, next)).toEqual({ continuedFrom: { id: old }, continuedIn: null });
    expect(await linksOf(colleague, next)).toEqual({ continuedFrom: { id: old }, continuedIn: null });
  });

  it('are null if the viewer cannot see the other thread', async () => {
    const old = await addThread(service, ada);
    const next = await goOn(colleague, old, true);
    expect((await linksOf(ada, old)).continuedIn).toBeNull();
    expect((await linksOf(colleague, old)).continuedIn).toEqual({ id: next });
    await setPrivate(next, false);
    await setPrivate(old, true);
    expect((await linksOf(colleague, next)).continuedFrom).toBeNull();
    expect((await linksOf(ada, next)).continuedFrom).toEqual({ id: old });
  });

  it('lead to the newest continuation that the viewer sees', async () => {
    const old = await addThread(service, ada);
    const first = await goOn(ada, old);
    const second = await goOn(ada, old);
    const hidden = await goOn(colleague, old, true);
    expect((await linksOf(ada, old)).continuedIn).toEqual({ id: second });
    expect((await linksOf(colleague, old)).continuedIn).toEqual({ id: hidden });
    await setPrivate(second, true);
    expect((await linksOf(colleague, old)).continuedIn).toEqual({ id: hidden });
    expect((await linksOf(colleague, first)).continuedFrom).toEqual({ id: old });
  });

  it('give the whole thread that they lead to, in a list too', async () => {
    const [one = '', two = ''] = await addThreads(service, ada, [{ name: 'One' }, { name: 'Two' }]);
    await goOn(ada, one);
    await goOn(ada, two);
    const query = `{ threads(first: 10, orderBy: {field: CREATED_AT, direction: ASC}) { edges { node {
      id name continuedFrom { name owner { id } } continuedIn { name state continuedFrom { id } } } } } }`;
    const { threads } = await clientOf(ada).data(query);
    const owner = { id: ada.id };
    const next = (name: string, id: string) => ({ name, state: 'WAITING', continuedFrom: { id } });
    expect(threads.edges.map(({ node }) => node)).toEqual(
      expect.arrayContaining([
        { id: one, name: 'One', continuedFrom: null, continuedIn: next('One', one) },
        { id: two, name: 'Two', continuedFrom: null, continuedIn: next('Two', two) },
        expect.objectContaining({ name: 'One', continuedFrom: { name: 'One', owner }, continuedIn: null }),
        expect.objectContaining({ name: 'Two', continuedFrom: { name: 'Two', owner }, continuedIn: null }),
      ]),
    );
  });
});
