/** One cursor everywhere: what a response object says is the end of its stream, whatever the outcome, over both transports. */
import { describe, expect } from 'vitest';
import type { GraphQLClient } from '../../support/clients/graphql-client.js';
import type { Sent } from '../../support/clients/rest-client.js';
import { it } from '../../support/fixtures/service.js';
import { finish, text, wait } from '../../support/model/model-script.js';
import type { Person, TestService } from '../../support/service.js';
import { ask } from '../attacks/ask-anything.js';

interface Actors {
  service: TestService;
  ada: Person;
  graphql: GraphQLClient;
}

async function stopped({ service, ada, graphql }: Actors): Promise<Sent> {
  service.model.enqueue([text('Hel'), wait(new Promise(() => undefined))]);
  const sent = await ada.rest.createThread({ text: 'Hi' });
  await (await ada.rest.stream(sent)).next();
  await graphql.data('mutation ($id: ID!) { stopResponse(messageId: $id) { __typename } }', { id: sent.messageId });
  return sent;
}

async function failed({ service, ada }: Actors): Promise<Sent> {
  service.model.enqueue([text('Hel'), finish('content_filter')]);
  const sent = await ada.rest.createThread({ text: 'Hi' });
  await ada.rest.streamToEnd(sent);
  return sent;
}

const outcomes: [type: string, reach: (actors: Actors) => Promise<Sent>][] = [
  ['ResponseComplete', ({ ada }) => ada.rest.readyThread({ text: 'Hi' })],
  ['ResponseFailed', failed],
  ['ResponseInterrupted', stopped],
];

describe('the cursor of a response object', () => {
  it.for(outcomes)(
    '%s is the end of its streams, after which there is nothing',
    async ([type, reach], { service, ada, graphql }) => {
      const sent = await reach({ service, ada, graphql });
      const { response } = await graphql.data(
        `query ($threadId: ID!, $messageId: ID!) { response(threadId: $threadId, messageId: $messageId) {
        __typename ... on ResponseComplete { cursor } ... on ResponseFailed { cursor } ... on ResponseInterrupted { cursor } } }`,
        { ...sent },
      );
      const { cursor } = response;
      expect(response).toEqual({ __typename: type, cursor: (await ada.rest.streamToEnd(sent)).at(-1)?.id });
      const path = `/threads/${sent.threadId}/messages/${sent.messageId}/response/stream`;
      expect((await ada.rest.fetch(path, { headers: { 'last-event-id': cursor } })).status).toBe(204);
      const events = await ask({
        ...{ url: `${service.url}/graphql`, token: ada.token, isLast: () => false },
        query:
          'subscription ($messageId: ID!, $after: String) { responseEvents(messageId: $messageId, after: $after) { __typename } }',
        variables: { messageId: sent.messageId, after: cursor },
      });
      expect(events).toEqual([]);
    },
  );
});
