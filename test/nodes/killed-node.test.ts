/** Two nodes serve and two work, of the built program on one PostgreSQL; each is killed once while clients talk. */
import { pino } from 'pino';
import { expect, it, vi } from 'vitest';
import { createPrismaClient } from '../../src/database/client.js';
import { issueToken } from '../../src/modules/identity/manage-tokens.js';
import { scopes } from '../../src/modules/identity/scopes.js';
import { checkRun } from '../chaos/checker.js';
import { runClient, type SendRecord } from '../chaos/client.js';
import { Cluster } from '../chaos/cluster.js';
import { startChaoticModel } from '../chaos/model.js';

it('killing any one of four nodes loses nothing', { timeout: 180_000 }, async () => {
  const model = await startChaoticModel(Math.random, 0);
  const nodes = [{ role: 'api' }, { role: 'worker' }, { role: 'api' }, { role: 'worker' }] as const;
  const cluster = await Cluster.start({ nodes, modelUrl: model.url });
  const logger = pino({ level: 'silent' });
  const database = createPrismaClient({
    url: cluster.server.url,
    applicationName: 'checker',
    maxConnections: 2,
    logger,
  });
  try {
    const user = await database.user.findFirstOrThrow();
    const { secret: token } = await issueToken(database, { userId: user.id, name: 'killing', scopes, expiresAt: null });
    const history: SendRecord[] = [];
    const end = new AbortController();
    const options = { token, urls: () => cluster.urls, random: Math.random, signal: end.signal, history };
    const clients = Array.from({ length: 10 }, () => runClient(options));
    let worstTakeoverMs = 0;
    for (const node of cluster.nodes) {
      const running = () => database.response.findMany({ where: { status: 'running' }, select: { messageId: true } });
      await vi.waitFor(async () => expect((await running()).length).toBeGreaterThan(5), { timeout: 20_000 });
      const killedAt = new Date();
      await node.end('SIGKILL');
      const orphans = await database.response.findMany({
        where: { status: 'running', workerId: { contains: `-${node.process?.pid}-` } },
        select: { messageId: true },
      });
      const messageIds = orphans.map((response) => response.messageId);
      const taken = () =>
        database.threadEvent.findMany({
          where: { messageId: { in: messageIds }, what: 'taken_over', at: { gt: killedAt } },
        });
      await vi.waitFor(async () => expect(await taken()).toHaveLength(messageIds.length), {
        timeout: 30_000,
        interval: 100,
      });
      const waits = (await taken()).map((event) => event.at.getTime() - killedAt.getTime());
      worstTakeoverMs = Math.max(worstTakeoverMs, ...waits);
      await node.start();
    }
    end.abort();
    await Promise.all(clients);
    const { broken, figures } = await checkRun(database, history);
    console.log(JSON.stringify({ ...figures, worstTakeoverMs }));
    expect(broken).toEqual([]);
    expect(figures).toMatchObject({ failed: 0, refused: 0, unknown: 0, answered: figures.accepted });
    expect(figures.takeovers).toBeGreaterThan(0);
  } finally {
    await database.$disconnect();
    await cluster.stop();
    await model.close();
  }
});
