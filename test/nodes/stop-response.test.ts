/**
 * A stop reaches the model's server, sent to the node that runs the response and to another one, without the heartbeats, which report
 * stops as well: here they come after an hour. How soon it does is seen in `stress`: other programs may delay this process, so the
 * best of several tries counts, in milliseconds of an idle machine.
 */
import { expect } from 'vitest';
import type { RunningService } from '../../src/serve.js';
import { isStress } from '../support/case-counts.js';
import { GraphQLClient } from '../support/clients/graphql-client.js';
import { serviceTest } from '../support/fixtures/service.js';
import { leastClockMs } from '../support/machine-speed.js';
import { text, wait } from '../support/model/model-script.js';
import type { Person, TestService } from '../support/service.js';

const limitMs = 1000;
const tries = 3;
const hourMs = 3_600_000;
const lease = { leaseMs: 4 * hourMs, heartbeatMs: hourMs, pollMs: 1000, maxAttempts: 3, deadlineMs: hourMs };

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
  const messages = await service.database.message.findMany({ where: { replyToId: sent.messageId } });
  return { closedAfter, stopResponse, contents: messages.map(({ contents }) => contents) };
}

type Nodes = { own: RunningService; api: RunningService };
it.for<[string, (nodes: Nodes) => RunningService]>([
  ['the node that runs the response', ({ own }) => own],
  ['another node', ({ api }) => api],
])(
  `a stop, asked of %s, closes the connection to the model ${isStress ? 'within a second' : 'without a heartbeat'}`,
  async ([_where, node], { service, api, ada }) => {
    const stop = async () => {
      const { closedAfter, ...outcome } = await stopOnce(service, ada, node({ own: service.service, api }));
      expect(outcome).toEqual({ stopResponse: { wasStopped: true }, contents: [[{ type: 'text', text: 'partial ' }]] });
      return await closedAfter;
    };
    if (isStress) expect(await leastClockMs(stop, { belowMs: limitMs, tries })).toBeLessThan(limitMs);
    else await stop();
  },
);
