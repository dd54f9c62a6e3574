/** The two links between a thread and its continuation: each end is hidden like any thread. */
import { describe, expect } from 'vitest';
import { GraphQLClient } from '../../support/clients/graphql-client.js';
import { newcomersTest } from '../../support/fixtures/service.js';
import type { Person, TestService } from '../../support/service.js';
import { addThread, addThreads, colleagueOf } from '../../support/threads.js';

// Nothing answers, so that what is tested does not depend on the state of a response.
const it = newcomersTest({ settings: { concurrency: 0 } }).extend('colleague', ({ service, ada }) =>
  colleagueOf(service, ada),
);

const clientOf = (service: TestService, { token }: Person) => new GraphQLClient({ origin: service.url, token });

/** The id of the new thread. */
async function goOn(service: TestService, person: Person, threadId: string, isPrivate = false): Promise<string> {
  const query = `mutation ($input: ContinueThreadInput!) { continueThread(input: $input) { ... on PostedMessage { threadId } } }`;
  const variables = { input: { threadId, isPrivate, text: 'Hi' } };
  const { continueThread } = await clientOf(service, person).data(query, variables);
  return continueThread.threadId;
}

async function linksOf(service: TestService, person: Person, id: string) {
  const query = 'query ($id: ID!) { thread(id: $id) { continuedFrom { id } continuedIn { id } } }';
  return (await clientOf(service, person).data(query, { id })).thread;
}

const setPrivate = (service: TestService, id: string, isPrivate: boolean) =>
  service.service.database.thread.update({ where: { id }, data: { isPrivate } });

describe('continuedFrom and continuedIn', () => {
  it('name the other thread, or are null if there is none', async ({ service, ada, colleague }) => {
    const old = await addThread(service, ada);
    expect(await linksOf(service, ada, old)).toEqual({ continuedFrom: null, continuedIn: null });
    const next = await goOn(service, ada, old);
    expect(await linksOf(service, ada, old)).toEqual({ continuedFrom: null, continuedIn: { id: next } });
    expect(await linksOf(service, ada, next)).toEqual({ continuedFrom: { id: old }, continuedIn: null });
    expect(await linksOf(service, colleague, next)).toEqual({ continuedFrom: { id: old }, continuedIn: null });
  });

  it('are null if the viewer cannot see the other thread', async ({ service, ada, colleague }) => {
    const old = await addThread(service, ada);
    const next = await goOn(service, colleague, old, true);
    expect((await linksOf(service, ada, old)).continuedIn).toBeNull();
    expect((await linksOf(service, colleague, old)).continuedIn).toEqual({ id: next });
    await setPrivate(service, next, false);
    await setPrivate(service, old, true);
    expect((await linksOf(service, colleague, next)).continuedFrom).toBeNull();
    expect((await linksOf(service, ada, next)).continuedFrom).toEqual({ id: old });
  });

  it('lead to the newest continuation that the viewer sees', async ({ service, ada, colleague }) => {
    const old = await addThread(service, ada);
    const first = await goOn(service, ada, old);
    const second = await goOn(service, ada, old);
    const hidden = await goOn(service, colleague, old, true);
    expect((await linksOf(service, ada, old)).continuedIn).toEqual({ id: second });
    expect((await linksOf(service, colleague, old)).continuedIn).toEqual({ id: hidden });
    await setPrivate(service, second, true);
    expect((await linksOf(service, colleague, old)).continuedIn).toEqual({ id: hidden });
    expect((await linksOf(service, colleague, first)).continuedFrom).toEqual({ id: old });
  });

  it('give the whole thread that they lead to, in a list too', async ({ service, ada }) => {
    const [one = '', two = ''] = await addThreads(service, ada, [{ name: 'One' }, { name: 'Two' }]);
    await goOn(service, ada, one);
    await goOn(service, ada, two);
    const query = `{ threads(first: 10, orderBy: {field: CREATED_AT, direction: ASC}) { edges { node {
      id name continuedFrom { name owner { id } } continuedIn { name state continuedFrom { id } } } } } }`;
    const { threads } = await clientOf(service, ada).data(query);
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
