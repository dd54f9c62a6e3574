/** Two nodes are restarted in turn behind a client that goes round them; it retries only what it may. */
import { expect, it } from 'vitest';
import { checkRun } from '../chaos/checker.js';
import { startClients } from '../chaos/client.js';
import { withCluster } from '../chaos/with-cluster.js';

it('a rolling restart of two nodes fails no request and loses no response', { timeout: 180_000 }, () =>
  withCluster({ roles: ['all', 'all'] }, async ({ cluster, database, token, random }) => {
    const clients = startClients({ token, urls: () => cluster.urls, random }, 6);
    for (const node of cluster.nodes) {
      await node.end('SIGTERM');
      await node.start();
    }
    await clients.stop();
    const { broken, figures } = await checkRun({ database, history: clients.history });
    expect(broken).toEqual([]);
    expect(figures).toMatchObject({ failed: 0, refused: 0, unknown: 0, takeovers: 0, restarts: 0 });
    expect(figures.answeredOnce).toBe(figures.accepted);
    expect(figures.accepted).toBeGreaterThan(0);
  }),
);
