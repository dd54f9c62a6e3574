/**
 * How soon a stop reaches the model's server, sent to the node that runs the response and to another one. Heartbeats, which
 * report stops as well, are made too slow to take part. Other programs may delay this process, so the best of several tries
 * counts, in milliseconds of an idle machine.
 */
import { expect } from 'vitest';
import type { RunningService } from '../../src/serve.js';
import { GraphQLClient } from '../support/clients/graphql-client.js';
import { serviceTest } from '../support/fixtures/service.js';
import { leastClockMs } from '../support/machine-speed.js';
import { text, wait } from '../support/model/model-script.js';
import type { Person, TestService } from '../support/service.js';

const limitMs = 1000;
const tries = 3;
const lease = { leaseMs: 180_000, heartbeatMs: 60_000, pollMs: 1000, maxAttempts: 3, deadlineMs: 600_000 };

const it = serviceTest({ settings: { lease } }).extend('api', { scope: 'file' }, ({ service }) =>
  service.addNode({ ROLE: 'api' }),
);

/** What the stop came to, and the milliseconds from its request to the end of the connection at the model's server. */
async function stopOnce(service: TestService, ada: Person, node: RunningService) {
  service.model.enqueue([text('partial '), wait(new Promise(() => undefined))]);
  const sent = await ada.rest.createThread({ text: 'Go on' });
  const events = await ada.rest.stream(sent);
  await events.next();
  await events.return(undefined);
  const { closed } = service.model.lastRequest;
  const graphql = new GraphQLClient({ origin: node.url, token: ada.token });
  const askedMs = performance.now();
  const closedAfter = closed.then(() => performance.now() - askedMs);
  const { stopResponse } = await graphql.data(
    'mutation ($id: ID!) { stopResponse(messageId: $id) { ... on StoppedResponse { wasStopped } } }',
    { id: sent.messageId },
  );
  const messages = await service.service.database.message.findMany({ where: { replyToId: sent.messageId } });
  return { closedAfter, stopResponse, contents: messages.map(({ contents }) => contents) };
}

type Nodes = { own: RunningService; api: RunningService };
it.for<[string, (nodes: Nodes) => RunningService]>([
  ['the node that runs the response', ({ own }) => own],
  ['another node', ({ api }) => api],
])(
  'a stop, asked of %s, closes the connection to the model within a second',
  async ([_where, node], { service, api, ada }) => {
    const stop = async () => {
      const { closedAfter, ...outcome } = await stopOnce(service, ada, node({ own: service.service, api }));
      expect(outcome).toEqual({
        stopResponse: { wasStopped: true },
        contents: [[{ type: 'text', text: 'partial ' }]],
      });
      return await closedAfter;
    };
    expect(await leastClockMs(stop, { belowMs: limitMs, tries })).toBeLessThan(limitMs);
  },
);
