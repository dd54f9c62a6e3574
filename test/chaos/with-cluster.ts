/** A cluster with its model, a token, and a connection for whoever checks; all of it is gone when the body ends. */
import type { PrismaClient } from '../../prisma/generated/client/client.js';
import { scopes } from '../../src/contract.js';
import { createPrismaClient } from '../../src/database/client.js';
import { issueToken } from '../../src/modules/identity/tokens/manage-tokens.js';
import { ShutdownStack } from '../../src/process/shutdown-stack.js';
import { seed } from '../support/case-counts.js';
import { Chance } from '../support/chance.js';
import type { ModelServer } from '../support/model/model-server.js';
import { logger } from '../support/silent-logger.js';
import { Cluster } from './cluster.js';
import { startChaoticModel } from './model.js';
import type { Role } from './node.js';

export interface WithClusterOptions {
  roles: readonly Role[];
  /** Further variables of every node. */
  environment?: Record<string, string>;
  /** Another build that the nodes run at first, on a database without tables. */
  program?: string | undefined;
  /** Share of the model's requests that fail; none where it is not given. */
  faultRate?: number;
  /** Share of the model's answers that take some seconds; none where it is not given. */
  slowRate?: number;
}

export interface ClusterWorld {
  cluster: Cluster;
  /** Says what is enqueued there, and else answers that can be checked (`model.ts`). */
  model: ModelServer;
  /** Straight to PostgreSQL, past every proxy. */
  database: PrismaClient;
  /** The administrator's, with every scope. */
  token: string;
  /** Numbers from 0 to 1 that the seed of the run repeats. */
  random: () => number;
}

/** Starts the nodes, all at once, runs the body, and ends everything however that went. */
export async function withCluster<T>(
  options: WithClusterOptions,
  body: (world: ClusterWorld) => Promise<T>,
): Promise<T> {
  const { roles, environment = {}, program, faultRate = 0, slowRate = 0 } = options;
  const chance = new Chance(seed);
  const random = () => chance.next();
  const shutdown = new ShutdownStack();
  try {
    const model = await startChaoticModel({ random, faultRate, slowRate });
    shutdown.add('the model', () => model.close());
    const cluster = await Cluster.start({ roles, modelUrl: model.url, environment, program });
    shutdown.add('the cluster', () => cluster.stop());
    const database = createPrismaClient({
      url: cluster.server.url,
      applicationName: 'checker',
      maxConnections: 4,
      logger,
    });
    shutdown.add('the database', () => database.$disconnect());
    const user = await database.user.findFirstOrThrow({ select: { id: true } });
    const issued = await issueToken(database, { userId: user.id, name: 'cluster', scopes, expiresAt: null });
    return await body({ cluster, model, database, token: issued.secret, random });
  } finally {
    await shutdown.end();
  }
}
