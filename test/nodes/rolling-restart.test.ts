/** Two nodes are restarted in turn behind a client that goes round them; it retries only what it may. */
import { pino } from 'pino';
import { expect, it } from 'vitest';
import { createPrismaClient } from '../../src/database/client.js';
import { issueToken } from '../../src/modules/identity/manage-tokens.js';
import { scopes } from '../../src/modules/identity/scopes.js';
import { checkRun } from '../chaos/checker.js';
import { runClient, type SendRecord } from '../chaos/client.js';
import { Cluster } from '../chaos/cluster.js';
import { startChaoticModel } from '../chaos/model.js';

it('a rolling restart of two nodes fails no request and loses no response', { timeout: 120_000 }, async () => {
  const model = await startChaoticModel(Math.random, 0);
  const cluster = await Cluster.start({ nodes: [{ role: 'all' }, { role: 'all' }], modelUrl: model.url });
  const logger = pino({ level: 'silent' });
  const database = createPrismaClient({
    url: cluster.server.url,
    applicationName: 'checker',
    maxConnections: 2,
    logger,
  });
  try {
    const user = await database.user.findFirstOrThrow();
    const { secret: token } = await issueToken(database, { userId: user.id, name: 'rolling', scopes, expiresAt: null });
    const history: SendRecord[] = [];
    const end = new AbortController();
    const options = { token, urls: () => cluster.urls, random: Math.random, signal: end.signal, history };
    const clients = Array.from({ length: 6 }, () => runClient(options));
    for (const node of cluster.nodes) {
      await node.end('SIGTERM');
      await node.start();
    }
    end.abort();
    await Promise.all(clients);
    const { broken, figures } = await checkRun(database, history);
    expect(broken).toEqual([]);
    expect(figures).toMatchObject({ failed: 0, refused: 0, unknown: 0, takeovers: 0, restarts: 0 });
    expect(figures.answered).toBe(figures.accepted);
    expect(figures.accepted).toBeGreaterThan(0);
  } finally {
    await database.$disconnect();
    await cluster.stop();
    await model.close();
  }
});
