/** Somebody who follows who else is in a thread, and what they were told last. */
import { expect } from 'vitest';
import { type Data, GraphQLClient } from '../../support/clients/graphql-client.js';
import type { Person } from '../../support/service.js';

export const presenceQuery = `subscription ($threadId: ID!) {
  threadPresence(threadId: $threadId) { people { id name } writing { id } count }
}`;
const announceQuery = `mutation ($threadId: ID!) {
  announceWriting(input: {threadId: $threadId}) {
    __typename
    ... on AnnouncedWriting { threadId expiresInSeconds }
    ... on NotFoundError { code }
  }
}`;

type List = Data<typeof presenceQuery>['threadPresence'];

export class Reader {
  readonly events: List[] = [];
  /** Whether the subscription ended by itself. */
  hasEnded = false;
  /** Whether its connection was cut, by either side. */
  isCut = false;
  readonly #abort = new AbortController();

  /** Resolves with the first list. */
  static async of(origin: string, { token }: Pick<Person, 'token'>, threadId: string): Promise<Reader> {
    const reader = new Reader();
    const client = new GraphQLClient({ origin, token });
    const { signal } = reader.#abort;
    const { results } = await client.subscribe({ query: presenceQuery, variables: { threadId } }, signal);
    const drain = async () => {
      for await (const { data } of results) if (data) reader.events.push(data.threadPresence);
      reader.hasEnded = true;
    };
    void drain().catch(() => {
      reader.isCut = true;
    });
    await expect.poll(() => reader.events.length).toBeGreaterThan(0);
    return reader;
  }

  get list(): List | undefined {
    return this.events.at(-1);
  }

  /** The names of those who read, and of those who write with a pencil. */
  get names(): string[] {
    const { people = [], writing = [] } = this.list ?? {};
    return people.map(({ id, name }) => `${name}${writing.some((writer) => writer.id === id) ? ' ✎' : ''}`);
  }

  leave(): void {
    this.#abort.abort();
  }
}

export function announce(origin: string, { token }: Pick<Person, 'token'>, threadId: string) {
  return new GraphQLClient({ origin, token }).data(announceQuery, { threadId });
}
