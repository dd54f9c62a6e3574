/** What a search costs: one statement for where it has found the threads of a page, if that is asked for, however many there are. */
import { describe, expect } from 'vitest';
import { numbered, storeMessages } from '../../rest/messages/stored-messages.js';
import type { GraphQLClient } from '../../support/clients/graphql-client.js';
import type { TestService } from '../../support/service.js';
import { addThreads, newcomer } from '../../support/threads.js';
import { quietTest } from '../limits/statement-log.js';

const it = quietTest
  .extend('one', { scope: 'file' }, ({ service }) => searcher(service, 1))
  .extend('fifty', { scope: 'file' }, ({ service }) => searcher(service, 50));

/** Somebody with so many threads in which a message says "2", whose token has been used already. */
async function searcher(service: TestService, count: number): Promise<GraphQLClient> {
  const person = await newcomer(service);
  const ids = await addThreads(service, person, Array<object>(count).fill({ name: 'Trip' }));
  await Promise.all(ids.map((id) => storeMessages(service, id, numbered(2))));
  await person.graphql.data('{ me { sub } }');
  return person.graphql;
}

describe('statements of a search, without the lookup of the token', () => {
  it.for([
    // The page of ids, and the threads.
    ['node { name }', 2],
    // And where all of them were found, however often and whatever part of it is asked for.
    ['node { name } match { snippet }', 3],
    ['match { snippet parts { text } message { id threadId } }', 3],
    ['a: match { snippet } b: match { parts { isHit } message { id } }', 3],
    // And the messages.
    // Contents have a statement of their own, which counts their bytes.
    ['match { message { role contents { ... on TextBlock { text } } } }', 5],
    ['match { message { role myFeedback { positive } response { __typename } } }', 4],
    ['match { message { id } } b: match { message { role } }', 4],
  ] as const)('%s: %i, with one thread and with fifty', async ([inside, count], { one, fifty, costs }) => {
    const operation = (q: string) => `{ threads(filter: {q: "${q}"}) { edges { cursor ${inside} } } }`;
    for (const [client, length] of [
      [one, 1],
      [fifty, 50],
    ] as const) {
      await costs(count, async () => {
        const data = await client.data(operation('2'));
        expect(data).toHaveProperty('threads.edges.length', length);
        expect(JSON.stringify(data)).not.toMatch(/"(match|message|a|b)":null/);
      });
    }
  });

  it('1 without a search', async ({ fifty, costs }) => {
    await costs(1, () => fifty.data('{ threads(filter: {q: " "}) { edges { match { snippet } } } }'));
  });
});
