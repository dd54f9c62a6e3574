/** The two links between a thread and its continuation: each end is hidden like any thread. */
import { describe, expect } from 'vitest';
import { newcomersTest } from '../../support/fixtures/service.js';
import type { Person, TestService } from '../../support/service.js';
import { addThread, addThreads, colleagueOf } from '../../support/threads.js';

// Nothing answers, so that what is tested does not depend on the state of a response.
const it = newcomersTest({ settings: { concurrency: 0 } }).extend('colleague', ({ service, ada }) =>
  colleagueOf(service, ada),
);

/** The id of the new thread. */
async function goOn(person: Person, threadId: string, isPrivate = false): Promise<string> {
  const query = `mutation ($input: ContinueThreadInput!) { continueThread(input: $input) { ... on PostedMessage { threadId } } }`;
  const variables = { input: { threadId, isPrivate, text: 'Hi' } };
  const { continueThread } = await person.graphql.data(query, variables);
  return continueThread.threadId;
}

async function linksOf(person: Person, id: string) {
  const query = 'query ($id: ID!) { thread(id: $id) { continuedFrom { id } continuedIn { id } } }';
  return (await person.graphql.data(query, { id })).thread;
}

const setPrivate = (service: TestService, id: string, isPrivate: boolean) =>
  service.database.thread.update({ where: { id }, data: { isPrivate } });

describe('continuedFrom and continuedIn', () => {
  it('name the other thread, or are null if there is none', async ({ service, ada, colleague }) => {
    const old = await addThread(service, ada);
    expect(await linksOf(ada, old)).toEqual({ continuedFrom: null, continuedIn: null });
    const next = await goOn(ada, old);
    expect(await linksOf(ada, old)).toEqual({ continuedFrom: null, continuedIn: { id: next } });
    expect(await linksOf(ada, next)).toEqual({ continuedFrom: { id: old }, continuedIn: null });
    expect(await linksOf(colleague, next)).toEqual({ continuedFrom: { id: old }, continuedIn: null });
  });

  it('lead to the newest continuation that the viewer sees', async ({ service, ada, colleague }) => {
    const old = await addThread(service, ada);
    const first = await goOn(ada, old);
    const second = await goOn(ada, old);
    const hidden = await goOn(colleague, old, true);
    expect((await linksOf(ada, old)).continuedIn).toEqual({ id: second });
    expect((await linksOf(colleague, old)).continuedIn).toEqual({ id: hidden });
    await setPrivate(service, second, true);
    expect((await linksOf(colleague, old)).continuedIn).toEqual({ id: hidden });
    expect((await linksOf(colleague, first)).continuedFrom).toEqual({ id: old });
  });

  it('give the whole thread that they lead to, in a list too', async ({ service, ada }) => {
    const [one = '', two = ''] = await addThreads(service, ada, [{ name: 'One' }, { name: 'Two' }]);
    await goOn(ada, one);
    await goOn(ada, two);
    const query = `{ threads(first: 10, orderBy: {field: CREATED_AT, direction: ASC}) { edges { node {
      id name continuedFrom { name owner { id } } continuedIn { name state continuedFrom { id } } } } } }`;
    const { threads } = await ada.graphql.data(query);
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
